import { join } from 'node:path'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { readCases } from '#rates/files/cases.ts'
import { readRateSets } from '#rates/files/read.ts'
import { proofsOf, type Proof } from './judge.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The pricing code and the year in which the financial year ends, such as `AU_VIC-2027`. */
export const label = ({ pricingCode, financialYear }: RateSetSpec) => `${pricingCode}-${financialYear.slice(5)}`

/** The rate sets of the product. */
export const productSets = (): RateSetSpec[] =>
  readRateSets([join(ROOT, 'rates/sets')]).map(({ spec }) => spec as RateSetSpec)

/** A set and everything that proves it; cases of other jurisdictions are not read. */
export function proofOf(name: string): Proof {
  const specs = productSets()
  const spec = specs.find((each) => label(each) === name)
  if (!spec) throw new Error(`there is no set ${name}`)
  const own = specs.filter(({ pricingCode, imports }) => [pricingCode, ...(imports ?? [])].includes(spec.pricingCode))
  const folders = new Set(own.map(({ pricingCode }) => pricingCode.toLowerCase().replace('_', '-')))
  // The cases of the federal set have their own folder, and quote any state.
  folders.add('au')
  const cases = readCases([...folders].map((folder) => join(ROOT, 'rates/cases', folder)))
  return proofsOf(specs, cases).find((proof) => proof.spec === spec)!
}
