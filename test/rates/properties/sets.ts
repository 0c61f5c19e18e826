import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { buildSnapshot, type Snapshot } from '#rates/engine/snapshot.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { readRateSets } from '#rates/files/read.ts'

/** The committed rate sets. */
export const sets = readRateSets(['rates/sets']).map(({ spec }) => spec as RateSetSpec)

export const quotable = sets.filter(({ offers }) => offers !== undefined)

export const labelOf = ({ pricingCode, financialYear }: RateSetSpec) => rateSetName(pricingCode, financialYear)

/** What one process would price with, had it loaded some sets. */
export function snapshotOf(specs: readonly RateSetSpec[]): Snapshot {
  const inputs = specs.map((spec) => {
    const imports = specs.filter(
      (one) => spec.imports?.includes(one.pricingCode) && one.financialYear === spec.financialYear,
    )
    return {
      name: labelOf(spec),
      digest: labelOf(spec),
      spec,
      imports: Object.fromEntries(imports.map((one) => [labelOf(one), labelOf(one)])),
    }
  })
  return buildSnapshot({ release: 'test', sets: inputs })
}
