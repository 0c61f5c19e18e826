import { dayOf, yearDates } from '../engine/dates.ts'
import { formatExact, multiply, parseExact } from '../engine/exact.ts'
import type { Parameter, RateSetSpec } from '../engine/grammar/rate-set.ts'
import { isNumber, money } from './money.ts'
import { AS_WRITTEN, type Vocabulary } from './vocabulary.ts'

/** A rate set and the sets of the same year that it imports. */
export interface Subject {
  spec: RateSetSpec
  imports: readonly RateSetSpec[]
}

/** Converts the amounts of one set to dollars, with the values of one day. */
export interface Resolver {
  /** `$352.6534 (20.42 × FEE_UNIT at $17.27)`; a text that is not an amount is returned unchanged. */
  amount: (text: string) => string
  /** The same in two parts: `$352.6534`, and its origin when the amount is not written as dollars. */
  amountParts: (text: string) => { amount: string; origin?: string }
  /** Cents as an exact decimal; undefined when the text is not an amount. */
  cents: (text: string) => string | undefined
  /** `AU/LCT_THRESHOLD` for an amount that is the value of a parameter, and nothing else. */
  parameterOf: (text: string) => string | undefined
  words: Vocabulary
  /** The classes of the set. */
  classes: NonNullable<RateSetSpec['classes']>
}

/** The resolver of a set on an ISO day. */
export function resolverOn({ spec, imports }: Subject, day: string, words: Vocabulary = AS_WRITTEN): Resolver {
  const valueOf = (reference: string): string | undefined => {
    const [name = '', code] = reference.split('/').toReversed()
    const set = code === undefined || code === spec.pricingCode ? spec : imports.find((one) => one.pricingCode === code)
    const parameter = set?.parameters?.find((one) => one.name === name)
    return set && parameter && valueOn(parameter, set, day)?.value
  }
  const dollars = (text: string): string | undefined => {
    if (isNumber(text)) return text
    const [times, reference] = text.includes(' ') ? text.split(' ', 2) : ['1', text]
    const value = reference === undefined ? undefined : valueOf(reference)
    return value && formatExact(multiply(parseExact(times!), parseExact(value)))
  }
  const amountParts = (text: string): { amount: string; origin?: string } => {
    if (isNumber(text)) return { amount: money(text) }
    const [times, reference] = text.includes(' ') ? text.split(' ', 2) : [undefined, text]
    const value = reference === undefined ? undefined : valueOf(reference)
    if (value === undefined) return { amount: text.split(' ').map(words.name).join(' ') }
    if (times === undefined) return withOrigin(money(value), words.aloneParameter(reference!))
    const product = formatExact(multiply(parseExact(times), parseExact(value)))
    return { amount: money(product), origin: `${times} × ${words.parameter(reference!)} at ${money(value)}` }
  }
  return {
    words,
    classes: spec.classes ?? [],
    cents: (text) => centsOf(dollars(text)),
    parameterOf: (text) => (isAlone(text) && valueOf(text) !== undefined ? wholeName(text, spec) : undefined),
    amountParts,
    amount: (text) => {
      const { amount, origin } = amountParts(text)
      return origin === undefined ? amount : `${amount} (${origin})`
    },
  }
}

/** Whether a text may be the name of a parameter: neither a number nor a multiple. */
const isAlone = (text: string): boolean => !text.includes(' ') && !isNumber(text)

const wholeName = (reference: string, { pricingCode }: RateSetSpec): string =>
  reference.includes('/') ? reference : `${pricingCode}/${reference}`

/** The parameters among the amounts of a statement, as a part of it; empty when there are none. */
export function parametersIn(
  texts: readonly (string | undefined)[],
  { parameterOf }: Resolver,
): { parameters?: string[] } {
  const found = texts.flatMap((text) => (text === undefined ? [] : (parameterOf(text) ?? [])))
  return found.length === 0 ? {} : { parameters: found }
}

const withOrigin = (amount: string, origin: string | undefined) => ({ amount, ...(origin !== undefined && { origin }) })

/** Converts dollars to cents, both exact decimals. */
export const centsOf = (dollars: string | undefined): string | undefined =>
  dollars && formatExact(multiply(parseExact(dollars), parseExact('100')))

/** The value of a parameter on an ISO day. */
export function valueOn({ values }: Parameter, { financialYear }: RateSetSpec, day: string) {
  const start = yearDates(financialYear).startDate
  return values
    .toSorted((a, b) => dayOf(b.startDate ?? start) - dayOf(a.startDate ?? start))
    .find(({ startDate = start }) => startDate <= day)
}
