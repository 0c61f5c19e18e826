import { Type } from 'typebox'

/** A name in capitals: components, parameters, bases, zones, concession types. */
export const NAME = '[A-Z][A-Z0-9_]*'
/** A pricing code: `AU`, or `AU_<STATE>`. */
export const PRICING_CODE = 'AU(_[A-Z]{2,3})?'
const DECIMAL = '-?[0-9]+(\\.[0-9]+)?'
const REFERENCE = `(${PRICING_CODE}/)?${NAME}`

export const Name = (description: string) =>
  Type.String({ pattern: `^${NAME}$`, minLength: 1, maxLength: 63, description })

/** A name of a class, source or derived value that reads as a word of the act. */
export const Word = (description: string) =>
  Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]*$', minLength: 1, maxLength: 63, description })

export const PricingCode = Type.String({ pattern: `^${PRICING_CODE}$`, maxLength: 7 })

export const Text = (description: string, maxLength = 512) => Type.String({ minLength: 1, maxLength, description })

/** A quoted decimal number, exact; never a bare YAML number. */
export const Decimal = Type.String({ pattern: `^${DECIMAL}$`, maxLength: 24 })

/** Dollars and whole cents, quoted. */
export const Dollars = Type.String({ pattern: '^-?[0-9]+(\\.[0-9]{1,2})?$', maxLength: 24 })

/** A fraction `n/d` or a decimal: factors of a term, the share of a line that is GST. */
export const Fraction = Type.String({ pattern: '^([0-9]+/[1-9][0-9]*|[0-9]+(\\.[0-9]+)?)$', maxLength: 24 })

/** One scalar: dollars `"8.40"`, a parameter `AU/LCT_THRESHOLD`, or a multiple of one `20.42 FEE_UNIT`. */
export const Amount = Type.String({
  pattern: `^(${DECIMAL}( ${REFERENCE})?|${REFERENCE})$`,
  maxLength: 96,
})

/** A term of a sum: an amount, a money input, `kind:<line kind>`, `line:<COMPONENT>` or `basis:<BASIS>`. */
export const Term = Type.String({
  pattern: `^(${DECIMAL}( ${REFERENCE})?|${REFERENCE}|dutiable|listPrice|marketValue|lctPreviouslyPaid|kind:[a-z_]+|line:${NAME}|basis:${NAME})$`,
  maxLength: 96,
})

/** An ISO calendar date, `YYYY-MM-DD`. */
export const IsoDate = Type.String({ format: 'date', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', maxLength: 10 })

/** One of a closed list of words. */
export const OneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description ? { description } : {}) })

export const ROUND_MODES = ['halfUp', 'up', 'down'] as const

/** Rounding to a multiple of `to` dollars; mode halfUp unless said otherwise. */
export const Round = Type.Object({
  to: Decimal,
  mode: Type.Optional(OneOf(ROUND_MODES)),
})

export const EVIDENCE = ['official', 'secondary', 'derived', 'estimate'] as const
export const Evidence = OneOf(EVIDENCE, 'How sure the figure is: the grade that the reference gives it.')
