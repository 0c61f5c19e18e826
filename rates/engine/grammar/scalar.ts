import { Type } from 'typebox'
import { EVIDENCE } from '../grade.ts'

/** A name in capitals: components, parameters, bases, zones, concession types. */
export const NAME = '[A-Z][A-Z0-9_]*'
/** A pricing code: `AU`, or `AU_<STATE>`. */
export const PRICING_CODE = 'AU(_[A-Z]{2,3})?'
// At most nine digits before the point and six after it: every product of two such numbers is exact, and no figure of a
// law is larger.
const UNSIGNED = '[0-9]{1,9}(\\.[0-9]{1,6})?'
const DECIMAL = `-?${UNSIGNED}`
// A number above zero, in a form that RE2 accepts: Kubernetes patterns have no lookahead.
const POSITIVE = '([1-9][0-9]{0,8}(\\.[0-9]{1,6})?|0\\.0{0,5}[1-9][0-9]{0,5})'
const REFERENCE = `(${PRICING_CODE}/)?${NAME}`

export const Name = (description: string) =>
  Type.String({ pattern: `^${NAME}$`, minLength: 1, maxLength: 63, description })

/** The name of a class, source or derived value, which reads like a word of the act. */
export const Word = (description: string) =>
  Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]*$', minLength: 1, maxLength: 63, description })

export const PricingCode = Type.String({ pattern: `^${PRICING_CODE}$`, maxLength: 7 })

export const Text = (description: string, maxLength = 512) => Type.String({ minLength: 1, maxLength, description })

/** A quoted decimal number, which is exact; a bare YAML number is refused. */
export const Decimal = Type.String({ pattern: `^${DECIMAL}$`, maxLength: 24 })

/** A decimal number above zero: a divisor, or the unit of a rounding. */
export const Positive = Type.String({ pattern: `^${POSITIVE}$`, maxLength: 24 })

/** A decimal number other than zero: a weight. */
export const NonZero = Type.String({ pattern: `^-?${POSITIVE}$`, maxLength: 24 })

/** A number with which a physical fact is compared; never below zero. */
export const Measure = Type.String({ pattern: '^[0-9]{1,9}(\\.[0-9]{1,3})?$', maxLength: 24 })

/** A percentage. */
export const Percent = Type.String({ pattern: '^[0-9]{1,3}(\\.[0-9]{1,9})?$', maxLength: 24 })

/** Dollars and whole cents, in quotes. */
export const Dollars = Type.String({ pattern: '^-?[0-9]{1,9}(\\.[0-9]{1,2})?$', maxLength: 24 })

/** The expected value of a line: dollars and cents, no line, or no price. */
export const ExpectedFigure = Type.String({ pattern: '^(-?[0-9]{1,9}(\\.[0-9]{1,2})?|none|unpriced)$', maxLength: 24 })

/** The share of the annual amount that a term costs: a fraction `n/d`, a decimal, or `days`. */
export const TermShare = Type.String({
  pattern: '^(days|[0-9]{1,6}/[1-9][0-9]{0,5}|[0-9]{1,3}(\\.[0-9]{1,9})?)$',
  maxLength: 24,
})

/** One amount: dollars `"8.40"`, a parameter `AU/LCT_THRESHOLD`, or a multiple of a parameter, `20.42 FEE_UNIT`. */
export const Amount = Type.String({
  pattern: `^(${DECIMAL}( ${REFERENCE})?|${REFERENCE})$`,
  maxLength: 96,
})

/** A divisor: an amount that is above zero when it is written as a number. */
export const PositiveAmount = Type.String({
  pattern: `^(${POSITIVE}( ${REFERENCE})?|${REFERENCE})$`,
  maxLength: 96,
})

/** The cell of a table: an amount, or "-" for none. */
export const Cell = Type.String({
  pattern: `^(-|${DECIMAL}( ${REFERENCE})?|${REFERENCE})$`,
  maxLength: 96,
  description: 'An amount, or "-": not published.',
})

/**
 * A term of a sum: an amount, a money input, `kind:<line kind>`, `line:<COMPONENT>`, `alone:<COMPONENT>` or
 * `basis:<BASIS>`. `alone` is the component computed without the request's lines of the kinds that the case subtracts.
 */
export const AddendText = Type.String({
  pattern: `^(${DECIMAL}( ${REFERENCE})?|${REFERENCE}|dutiable|listPrice|marketValue|lctPreviouslyPaid|kind:[a-z_]+|(line|alone):${NAME}|basis:${NAME})$`,
  maxLength: 96,
})

/** An ISO calendar date, `YYYY-MM-DD`. */
export const IsoDate = Type.String({
  format: 'date',
  pattern: '^(18|19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}$',
  maxLength: 10,
})

/** One of a closed list of words. */
export const OneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description && { description }) })

export const ROUND_MODES = ['halfUp', 'up', 'down'] as const

/** Rounding to a multiple of `to` dollars; the default mode is halfUp. */
export const Round = Type.Object({
  to: Positive,
  mode: Type.Optional(OneOf(ROUND_MODES)),
})

export const Evidence = OneOf(EVIDENCE, 'How sure the figure is: the grade that the reference gives it.')

export const UpperBound = Type.Boolean({
  description:
    'For an estimate. true: the amount charged is at most this, to the dollar. Otherwise the amount may be higher, and the quote says so.',
})

/** The digest of published content. */
export const Pin = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  maxLength: 71,
  description: 'The attested digest at which the set stays while this object changes; not part of the content.',
})

/** A notice of a change says this in place of a name. */
export const Label = Text('What people call it, such as dealers who read a notice.', 64)
