import { rateSetName } from '#rates/published/financial-year.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Announcement } from './outbox.ts'

/**
 * The published sets, plus the sets of the last announcement that are no longer published, marked as withdrawn. When
 * such a set is published again, readers see "published again", not a new year.
 */
export function keepWithdrawn(published: Announcement, last: Announcement): Announcement {
  const names = new Set(published.sets.map(nameOf))
  const gone = last.sets.filter((spec) => !names.has(nameOf(spec)))
  return { ...published, sets: [...published.sets, ...gone.map((spec) => ({ ...spec, withdrawn: true }))] }
}

const nameOf = ({ pricingCode, financialYear }: RateSetSpec): string => rateSetName(pricingCode, financialYear)
