import type { FigureChange, Follower } from '#rates/diff/figure-change.ts'

/**
 * `INSURANCE_DUTY follows CTP (10 %)`, `STAMP_DUTY of AU_NSW, AU_VIC follows LUXURY_CAR_TAX`: what moves with the changes
 * of a component, and has no statement of its own.
 */
export function followerLines(component: string, changes: readonly FigureChange[]): string[] {
  const all = changes.flatMap(({ followers = [], kind }) => followers.map((one) => ({ ...one, kind })))
  const groups = Map.groupBy(all, (one) => `${one.component} ${one.pricingCode === undefined} ${one.kind}`)
  return [...groups.values()].map((group) => {
    const [one] = group as [Follower & { kind: FigureChange['kind'] }]
    if (one.kind !== 'rule') return `selects the amounts of ${one.component}`
    const codes = [...new Set(group.flatMap(({ pricingCode }) => pricingCode ?? []))]
    const of = codes.length === 0 ? '' : ` of ${codes.join(', ')}`
    return `${one.component}${of} follows ${component}${one.percent === undefined ? '' : ` (${one.percent} %)`}`
  })
}
