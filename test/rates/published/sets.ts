import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'

/** A small rate set with invented amounts: no law has them. */
export function inventedSet(code: string, year: string, note = 'invented'): RateSetSpec {
  return {
    pricingCode: code,
    financialYear: year,
    timeZone: 'Australia/Melbourne',
    sources: [
      { name: 'none', label: note, url: 'https://example.com/', authority: 'nobody', kind: 'html', official: false },
    ],
    rules: [],
  }
}
