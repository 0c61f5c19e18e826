import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { buildSnapshot, type Snapshot } from '#rates/engine/snapshot.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { describeFault } from '#rates/files/located.ts'
import { readRateSets } from '#rates/files/read.ts'

/** The committed rate sets. */
export const sets = specsOf('rates/sets')

const everyForm = specsOf('test/rates/properties/every-form.yaml')

/** The committed rate sets, and one that uses every form of the grammar. */
export const withEveryForm = [...sets, ...everyForm]

export const quotable = withEveryForm.filter(({ offers }) => offers !== undefined)

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

/** The specs of files without a fault of writing; throws with all faults otherwise. */
function specsOf(path: string): RateSetSpec[] {
  const files = readRateSets([path])
  const faults = files.flatMap((file) => file.faults.map(describeFault))
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return files.map(({ spec }) => spec as RateSetSpec)
}
