import type { Excess, Interpolate, Round, Units, Whole } from '../engine/grammar/charge.ts'
import type { Resolver } from './amounts.ts'
import { money } from './money.ts'
import { allSaid, type RatePer, type TypedFigure } from './said.ts'

type Amount = Resolver['amount']

/** Cents of an amount as data; undefined when the text is not an amount. */
export function centsFigure(text: string | undefined, { cents }: Resolver): TypedFigure | undefined {
  const value = text === undefined ? undefined : cents(text)
  return value === undefined ? undefined : { unit: 'cents', value }
}

const withPer = (typed: TypedFigure | undefined, per: RatePer) => typed && { ...typed, per }

/** A rate for units, as data. */
export function unitsFigure(units: Units | undefined, resolver: Resolver): TypedFigure | undefined {
  return units && withPer(centsFigure(units.rate, resolver), { amount: units.per, of: units.of, part: units.part })
}

/** A rate on an amount, as data. */
export function rateFigure(rate: Whole | undefined, resolver: Resolver): TypedFigure | undefined {
  if (rate?.percent !== undefined) return { unit: 'percent', value: rate.percent }
  const amount = rate?.per === undefined ? undefined : resolver.cents(rate.per)
  return amount === undefined ? undefined : withPer(centsFigure(rate?.rate, resolver), { amount, of: 'cents' })
}

/** `to $0.10, half up`. */
export function roundWords({ to, mode, ...rest }: Round, { words }: Resolver): string {
  allSaid(rest, {})
  return words.rounding({ to, ...(mode && { mode }) })
}

/** A rate for units: `$5 for each 100 of tareKg, part up`. */
export function unitsWords({ rate, per, of, part, ...rest }: Units, { amount, words }: Resolver): string {
  allSaid(rest, {})
  return words.units(amount(rate), { per, of, part })
}

/** A rate on the whole of an amount: `$8.40 for each $200 or part`. */
export function wholeWords({ rate, per, percent, ...rest }: Whole, amount: Amount): string {
  allSaid(rest, {})
  if (percent !== undefined) return `${percent} %`
  return `${amount(rate ?? '')} for each ${amount(per ?? '')} or part`
}

/** A rate that rises with the amount. */
export function interpolateWords(
  { percent, above, divisor, decimals, mode, ...rest }: Interpolate,
  amount: Amount,
): string {
  allSaid(rest, {})
  const rounding = risingRounded({ decimals, ...(mode && { mode }) })
  return `${risingWords({ percent, above, divisor }, amount)}, ${rounding}`
}

/** The same without its rounding. */
export const risingWords = (
  { percent, above, divisor }: Pick<Interpolate, 'percent' | 'above' | 'divisor'>,
  amount: Amount,
): string =>
  `${percent} % plus 1 % for each ${money(divisor)} above ${amount(above)}`

/** `rounded up to the next 0.01 %`. */
export const risingRounded = ({ decimals, mode = 'halfUp' }: Pick<Interpolate, 'decimals' | 'mode'>): string =>
  `rounded ${MODES[mode]} ${(10 ** -decimals).toFixed(decimals)} %`

const MODES = { halfUp: 'to the nearest', up: 'up to the next', down: 'down to the last' } as const

/** A rate on the amount above the edge of a band. */
export function excessWords({ plus, ...whole }: Excess, amount: Amount): string {
  return `${wholeWords(whole, amount)} of the excess${plus === undefined ? '' : ` plus ${amount(plus)}`}`
}

/** A grade; for an estimate, also whether it is an upper bound. */
export const gradeWords = (grade: string, upperBound?: boolean): string =>
  upperBound === true ? `${grade}, an upper bound` : grade
