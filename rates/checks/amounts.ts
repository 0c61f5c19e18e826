import { multiply, parseExact, type Exact } from '../engine/exact.ts'
import type { Charge } from '../engine/grammar/charge.ts'
import type { Parameter, RateSetSpec } from '../engine/grammar/rate-set.ts'
import { adjustmentsOf, chargesOf, conditionsOf, termFactorsOf, termsOf } from './parts.ts'
import { entries, optional, type At, type Subject } from './subject.ts'

interface Priced {
  rate?: string | undefined
  per?: string | undefined
  plus?: string | undefined
}

const ratesOf = (path: string, value: Priced | undefined): At<string>[] =>
  (['rate', 'per', 'plus'] as const).flatMap((key) => optional(`${path}.${key}`, value?.[key]))

/** Every amount of a charge, except those of `less`. */
export function amountsOfCharge({ path, value }: At<Charge>): At<string>[] {
  return [
    ...(['flat', 'atLeast', 'atMost'] as const).flatMap((key) => optional(`${path}.${key}`, value[key])),
    ...ratesOf(`${path}.whole`, value.whole),
    ...optional(`${path}.interpolate.above`, value.interpolate?.above),
    ...optional(`${path}.units.rate`, value.units?.rate),
    ...entries(`${path}.greatestOf`, value.greatestOf).map((offer) => ({
      path: `${offer.path}.amount`,
      value: offer.value.amount,
    })),
    ...entries(`${path}.table.rows`, value.table?.rows).flatMap((row) =>
      entries(`${row.path}.amounts`, row.value.amounts),
    ),
    ...entries(`${path}.bands`, value.bands).flatMap((band) => [
      ...(['upTo', 'flat'] as const).flatMap((key) => optional(`${band.path}.${key}`, band.value[key])),
      ...ratesOf(`${band.path}.whole`, band.value.whole),
      ...ratesOf(`${band.path}.excess`, band.value.excess),
      ...optional(`${band.path}.interpolate.above`, band.value.interpolate?.above),
    ]),
  ]
}

/** Every amount of a set, including the terms of sums that are amounts. */
export function amountsOf(spec: RateSetSpec): At<string>[] {
  return [
    ...chargesOf(spec).flatMap(amountsOfCharge),
    ...conditionsOf(spec).flatMap(({ path, value }) =>
      (['upTo', 'above'] as const).flatMap((key) => optional(`${path}.basis.${key}`, value.basis?.[key])),
    ),
    ...termFactorsOf(spec).flatMap(({ path, value }) => optional(`${path}.plus`, value.plus)),
    ...adjustmentsOf(spec).flatMap(({ path, value }) =>
      (['amountOff', 'set'] as const).flatMap((key) => optional(`${path}.${key}`, value[key])),
    ),
    ...termsOf(spec).filter(({ value }) => /^[-0-9A-Z]/.test(value)),
  ]
}

const AMOUNT = /^(-?[0-9]+(?:\.[0-9]+)?)?(?: ?(?:([A-Z_]+)\/)?([A-Z][A-Z0-9_]*))?$/

export interface Reference {
  /** The pricing code in front of the name; undefined for a name of the set itself. */
  code: string | undefined
  name: string
}

/** The parameter to which an amount refers, if any. */
export function referenceOf(amount: string): Reference | undefined {
  const [, , code, name] = AMOUNT.exec(amount) ?? []
  return name === undefined ? undefined : { code, name }
}

/** The parameter to which a reference leads, in the set itself or in the named import. */
export function parameterOf({ code, name }: Reference, { spec, imports }: Subject): Parameter | undefined {
  const home =
    code === undefined || code === spec.pricingCode ? spec : imports.find(({ pricingCode }) => pricingCode === code)
  return home?.parameters?.find((parameter) => parameter.name === name)
}

/** The value of an amount on a day, in dollars; undefined when its parameter has no value on that day. */
export function resolveAmount(amount: string, day: string, subject: Subject): Exact | undefined {
  const times = AMOUNT.exec(amount)?.[1]
  const reference = referenceOf(amount)
  if (!reference) return times === undefined ? undefined : parseExact(times)
  const values = parameterOf(reference, subject)?.values ?? []
  const valid = values.filter(({ startDate }) => (startDate ?? subject.year.start) <= day).at(-1)
  return valid && multiply(parseExact(times ?? '1'), parseExact(valid.value))
}

/**
 * The days on which any of some amounts may change: the first day of the year, and each later date of their parameters.
 */
export function daysOfChange(amounts: readonly string[], subject: Subject): string[] {
  const dates = amounts.flatMap((amount) => {
    const reference = referenceOf(amount)
    return (reference && parameterOf(reference, subject)?.values.map(({ startDate }) => startDate)) ?? []
  })
  const later = dates.filter((date): date is string => date !== undefined)
  return [...new Set([subject.year.start, ...later])].sort()
}
