import { join } from 'node:path'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { readCases } from '#rates/files/cases.ts'
import { readRateSets } from '#rates/files/read.ts'
import { proofsOf, type Proof } from './judge.ts'

const ROOT = join(import.meta.dirname, '../..')

/** `AU_VIC-2027`: the pricing code and the year in which the financial year ends. */
export const label = ({ pricingCode, financialYear }: RateSetSpec) => `${pricingCode}-${financialYear.slice(5)}`

/** The product's rate sets. */
export const productSets = (): RateSetSpec[] =>
  readRateSets([join(ROOT, 'rates/sets')]).map(({ spec }) => spec as RateSetSpec)

/** A set with all that proves it; the cases of other jurisdictions are not even read. */
export function proofOf(name: string): Proof {
  const specs = productSets()
  const spec = specs.find((each) => label(each) === name)
  if (!spec) throw new Error(`there is no set ${name}`)
  const own = specs.filter(({ pricingCode, imports }) =>
    [pricingCode, ...(imports ?? [])].includes(spec.pricingCode),
  )
  const folders = new Set(own.map(({ pricingCode }) => pricingCode.toLowerCase().replace('_', '-')))
  // Cases of the federal set have a folder of their own, and quote any of the states.
  folders.add('au')
  const cases = readCases([...folders].map((folder) => join(ROOT, 'rates/cases', folder)))
  return proofsOf(specs, cases).find((proof) => proof.spec === spec)!
}
