import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { buildSnapshot, type Snapshot } from '#rates/engine/snapshot.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { describeFault } from '#rates/files/located.ts'
import { readRateSets } from '#rates/files/read.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import { committedFiles } from '../committed-files.ts'
import { sample } from '../sample.ts'
import { parameters } from './parameters.ts'

/** The committed rate sets. */
export const sets = specsOf(committedFiles)

const everyForm = specsOf(readRateSets(['test/rates/properties/every-form.yaml']))

/** The committed rate sets, and one that uses every form of the grammar. */
export const withEveryForm = [...sets, ...everyForm]

/** Every set; SETS_DRAWN=8 takes so many, drawn by the seed of the run, and always the one that uses every form. */
export function drawnSets(all: readonly RateSetSpec[]): RateSetSpec[] {
  const others = all.filter(({ pricingCode }) => pricingCode !== 'AU_ZZ')
  return [
    ...sample(others, Number(process.env.SETS_DRAWN ?? Infinity), parameters.seed),
    ...all.filter((one) => !others.includes(one)),
  ]
}

export const quotable = drawnSets(withEveryForm.filter(({ offers }) => offers !== undefined))

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
function specsOf(files: readonly RateSetFile[]): RateSetSpec[] {
  const faults = files.flatMap((file) => file.faults.map(describeFault))
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return files.map(({ spec }) => spec as RateSetSpec)
}
