import { covers, dayAfter, yearDates } from '../engine/dates.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Subject } from './amounts.ts'

/** The set of a pricing code that covers an ISO day, with its imports; undefined when there is none. */
export function subjectOn(sets: readonly RateSetSpec[], pricingCode: string, day: string): Subject | undefined {
  const spec = sets.find(
    (one) => one.pricingCode === pricingCode && !one.withdrawn && covers(yearDates(one.financialYear), day),
  )
  if (!spec) return undefined
  const isImport = (one: RateSetSpec) =>
    one.financialYear === spec.financialYear && spec.imports?.includes(one.pricingCode) && !one.withdrawn
  return { spec, imports: sets.filter(isImport) }
}

/** A withdrawn set as it was published. */
export const beforeWithdrawal = (spec: RateSetSpec): RateSetSpec =>
  spec.withdrawn ? { ...spec, withdrawn: false } : spec

/** The ISO days, in order, on which a statement of a pricing code may begin or end. */
export function turningDays(sets: readonly RateSetSpec[], pricingCode: string): string[] {
  const own = sets.filter((one) => one.pricingCode === pricingCode && !one.withdrawn)
  const imported = sets.filter((one) =>
    own.some((each) => each.financialYear === one.financialYear && each.imports?.includes(one.pricingCode)),
  )
  const days = [...own, ...imported].flatMap((spec) => {
    const { startDate, endDate } = yearDates(spec.financialYear)
    const after = dayAfter(endDate)
    return [
      startDate,
      after,
      ...datedParts(spec)
        .flatMap(daysOf)
        .filter((day) => day <= after),
    ]
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
