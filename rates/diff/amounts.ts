import { dayOf, yearDates } from '../engine/dates.ts'
import { formatExact, multiply, parseExact } from '../engine/exact.ts'
import type { Parameter, RateSetSpec } from '../engine/grammar/rate-set.ts'
import { isNumber, money } from './money.ts'
import { AS_WRITTEN, type Vocabulary } from './vocabulary.ts'

/** A rate set with the sets that it imports, of the same year. */
export interface Subject {
  spec: RateSetSpec
  imports: readonly RateSetSpec[]
}

/** Turns the amounts of one set into dollars as they stand on one day. */
export interface Resolver {
  /** `$352.6534 (20.42 × FEE_UNIT at $17.27)`; the text itself where it is no amount. */
  amount: (text: string) => string
  /** The same in two parts: `$352.6534`, and what it comes from where it is not written as such. */
  amountParts: (text: string) => { amount: string; origin?: string }
  /** Cents, an exact decimal; undefined where it is no amount. */
  cents: (text: string) => string | undefined
  words: Vocabulary
}

/** The resolver of a set on a day, ISO. */
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
    cents: (text) => centsOf(dollars(text)),
    amountParts,
    amount: (text) => {
      const { amount, origin } = amountParts(text)
      return origin === undefined ? amount : `${amount} (${origin})`
    },
  }
}

const withOrigin = (amount: string, origin: string | undefined) => ({ amount, ...(origin !== undefined && { origin }) })

/** Cents of dollars, both exact decimals. */
export const centsOf = (dollars: string | undefined): string | undefined =>
  dollars && formatExact(multiply(parseExact(dollars), parseExact('100')))

/** The value of a parameter on a day, ISO. */
export function valueOn({ values }: Parameter, { financialYear }: RateSetSpec, day: string) {
  const start = yearDates(financialYear).startDate
  return values
    .toSorted((a, b) => dayOf(b.startDate ?? start) - dayOf(a.startDate ?? start))
    .find(({ startDate = start }) => startDate <= day)
}
