import { join } from 'node:path'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { readCases } from '#rates/files/cases.ts'
import { readRateSets } from '#rates/files/read.ts'
import { proofsOf, type Proof } from './judge.ts'

const ROOT = join(import.meta.dirname, '../..')

/** `AU_VIC-2027`: the pricing code and the year in which the financial year ends. */
export const label = ({ pricingCode, financialYear }: RateSetSpec) => `${pricingCode}-${financialYear.slice(5)}`

/** The product's rate sets with all that proves them. */
export function setsAndCases(): { proofs: Proof[] } {
  const specs = readRateSets([join(ROOT, 'rates/sets')]).map(({ spec }) => spec as RateSetSpec)
  return { proofs: proofsOf(specs, readCases([join(ROOT, 'rates/cases')])) }
}
