import { Gauge, type Registry } from 'prom-client'
import { isDate, yearDates } from '#rates/engine/dates.ts'
import type { ConditionType } from '#crds/conditions.ts'
import type { RateSetObject } from './object.ts'

const DAY_MS = 86_400_000

const SHOWN = ['Ready', 'Published', 'Loaded', 'Reconciling', 'Stalled', 'Emergency'] as const satisfies ConditionType[]

/**
 * Exports the conditions of every rate set, and the date on which the first of its figures is due for review, at each
 * scrape.
 */
export function showRateSets(registry: Registry, objects: () => Iterable<RateSetObject>, clock = Date.now): void {
  const registers = [registry]
  new Gauge({
    name: 'driveaway_rateset_condition',
    help: '1 if the condition of the rate set is True, else 0; with the reason of the condition.',
    labelNames: ['rateset', 'condition', 'reason'] as const,
    registers,
    collect() {
      this.reset()
      for (const { metadata, status } of objects()) {
        for (const condition of SHOWN) {
          const { status: state, reason = '' } = status?.conditions.find(({ type }) => type === condition) ?? {}
          this.set({ rateset: metadata.name, condition, reason }, state === 'True' ? 1 : 0)
        }
      }
    },
  })
  new Gauge({
    name: 'driveaway_rateset_review_by_timestamp_seconds',
    help: 'The first day on which a figure is due for a review, of each rate set whose year has not ended.',
    labelNames: ['rateset'] as const,
    registers,
    collect() {
      this.reset()
      for (const { metadata, spec } of objects()) {
        if (!isReviewed(spec, clock())) continue
        const first = firstReview(spec.rules)
        if (first !== undefined) this.set({ rateset: metadata.name }, Date.parse(first) / 1000)
      }
    },
  })
  showEmergencies(registry, objects)
}

/** Exports when the emergency attestations of published rate sets expire. */
function showEmergencies(registry: Registry, objects: () => Iterable<RateSetObject>): void {
  new Gauge({
    name: 'driveaway_rateset_emergency_until_timestamp_seconds',
    help: 'When the emergency attestation of the published rate set expires; absent if staging attested the set.',
    labelNames: ['rateset'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { metadata, status } of objects()) {
        const { until } = status?.emergency ?? {}
        if (until !== undefined) this.set({ rateset: metadata.name }, Date.parse(until) / 1000)
      }
    },
  })
}

/**
 * Whether the figures of the set are still compared with their sources; after the end of its year they no longer
 * change.
 */
function isReviewed({ financialYear, withdrawn }: RateSetObject['spec'], now: number): boolean {
  if (withdrawn) return false
  const { endDate } = yearDates(financialYear)
  // The watch also delivers objects that no check has passed yet.
  return !isDate(endDate) || now < Date.parse(endDate) + DAY_MS
}

/**
 * The earliest review date (ISO) of the rules; undefined for a set without rules, or one that no check has passed yet.
 */
function firstReview(rules: RateSetObject['spec']['rules'] | undefined): string | undefined {
  const dates = (rules ?? []).map(({ verification }) => verification.reviewBy)
  return dates.sort()[0]
}
