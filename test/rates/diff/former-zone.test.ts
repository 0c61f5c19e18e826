import { expect, test } from 'vitest'
import { changesOf } from '#rates/diff/figures.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets } from '../properties/sets.ts'

const victoria = (): RateSetSpec =>
  structuredClone(sets.find((one) => one.pricingCode === 'AU_VIC' && one.financialYear === '2026-2027')!)

/** A zone of some postcodes of other zones, at $470. */
function withZone(postcodes: string[]): RateSetSpec {
  const set = victoria()
  set.zones!.find(({ name }) => name === 'TAC')!.values.unshift({ zone: 'GEELONG', label: 'Geelong zone', postcodes })
  for (const { charge } of set.rules.find(({ component }) => component === 'CTP')!.cases)
    charge?.table?.rows.push({ zone: 'GEELONG', amounts: ['470'] })
  return set
}

const ofCtp = (old: RateSetSpec, now: RateSetSpec) =>
  changesOf([old], [now], '2026-11-22').filter(({ component, about }) => component === 'CTP' && about === 'figure')

// The charges of 2026-27: $495 and $418 in the outer metropolitan zone, $551 and $552 in the metropolitan one.
test('a new zone within one zone is compared with the amounts of that zone', () => {
  expect(ofCtp(victoria(), withZone(['3214-3220'])).map((one) => [one.old, one.new])).toEqual([
    ['$495', '$470'],
    ['$418', '$470'],
  ])
})

test('a zone that goes into another is compared with the amounts there', () => {
  expect(ofCtp(withZone(['3214-3220']), victoria()).map((one) => [one.old, one.new])).toEqual([
    ['$470', '$495'],
    ['$470', '$418'],
  ])
})

test('a zone of postcodes that were in several zones has no amount before', () => {
  expect(ofCtp(victoria(), withZone(['3000', '3214-3220'])).map((one) => one.old)).toEqual([null, null])
})
