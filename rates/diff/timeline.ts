import { isoOf, yearBounds } from '../engine/dates.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Subject } from './amounts.ts'

/** The set of a pricing code that covers a day, ISO, with its imports; undefined where there is none. */
export function subjectOn(sets: readonly RateSetSpec[], pricingCode: string, day: string): Subject | undefined {
  const spec = sets.find((one) => one.pricingCode === pricingCode && !one.withdrawn && coversDay(one, day))
  if (!spec) return undefined
  const isImport = (one: RateSetSpec) =>
    one.financialYear === spec.financialYear && spec.imports?.includes(one.pricingCode) && !one.withdrawn
  return { spec, imports: sets.filter(isImport) }
}

function coversDay({ financialYear }: RateSetSpec, day: string): boolean {
  const { start, end } = yearBounds(financialYear)
  return isoOf(start) <= day && day <= isoOf(end)
}

/** A set as it was published, where it is withdrawn. */
export const beforeWithdrawal = (spec: RateSetSpec): RateSetSpec =>
  spec.withdrawn ? { ...spec, withdrawn: false } : spec

/** The days, ISO and in order, on which something that a pricing code says may begin or end. */
export function turningDays(sets: readonly RateSetSpec[], pricingCode: string): string[] {
  const own = sets.filter((one) => one.pricingCode === pricingCode && !one.withdrawn)
  const imported = sets.filter((one) =>
    own.some((each) => each.financialYear === one.financialYear && each.imports?.includes(one.pricingCode)),
  )
  const days = [...own, ...imported].flatMap((spec) => {
    const { start, end } = yearBounds(spec.financialYear)
    return [isoOf(start), dayAfter(isoOf(end)), ...datedParts(spec).flatMap(daysOf).filter((day) => day <= dayAfter(isoOf(end)))]
  })
  return [...new Set(days)].sort()
}

const daysOf = ({ startDate, endDate }: { startDate?: string; endDate?: string }): string[] => [
  ...(startDate === undefined ? [] : [startDate]),
  ...(endDate === undefined ? [] : [dayAfter(endDate)]),
]

const datedParts = (spec: RateSetSpec): { startDate?: string; endDate?: string }[] => [
  ...spec.rules,
  ...(spec.parameters ?? []).flatMap(({ values }) => values),
  ...(spec.concessions ?? []),
  ...(spec.concessions ?? []).flatMap(({ adjustments }) => adjustments),
  ...(spec.offers?.registrationTypes ?? []),
]

/** The day after a day, ISO. */
export const dayAfter = (iso: string): string => shifted(iso, 1)

/** The day before a day, ISO. */
export const dayBefore = (iso: string): string => shifted(iso, -1)

function shifted(iso: string, days: number): string {
  const [year = 0, month = 0, day = 0] = iso.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)
}
