import { expect, test } from 'vitest'
import { changesOf } from '#rates/diff/figures.ts'
import { withFollowers } from '#rates/diff/followers.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets } from '../properties/sets.ts'

const victoria = (): RateSetSpec =>
  structuredClone(sets.find((one) => one.pricingCode === 'AU_VIC' && one.financialYear === '2026-2027')!)

function moved(edit: (tac: NonNullable<RateSetSpec['zones']>[number]) => void) {
  const now = victoria()
  edit(now.zones!.find(({ name }) => name === 'TAC')!)
  return withFollowers(changesOf([victoria()], [now], '2026-11-22'), [now]).filter(({ postcodes }) => postcodes)
}

// The charges of 2026-27 for twelve months: $429 and $290 in the rural zone, $551 and $552 in the metropolitan one.
test('a postcode that moves has the amounts of both zones, and what is computed from them', () => {
  const [change] = moved(({ values }) => void values.find(({ zone }) => zone === 'METRO')!.postcodes.push('3999'))
  expect(change!.amounts?.map((one) => [one.component, one.old, one.new])).toEqual([
    ['CTP', '$429', '$551'],
    ['INSURANCE_DUTY', '$42.90', '$55.10'],
    ['CTP', '$290', '$552'],
    ['INSURANCE_DUTY', '$29.00', '$55.20'],
  ])
  expect(change!.followers).toEqual([{ component: 'CTP' }, { component: 'INSURANCE_DUTY' }])
})

test('a move between zones of the same amounts has none', () => {
  const changes = moved(({ values }) => {
    const unlisted = values.find(({ zone }) => zone === 'UNLISTED')
    const rural = values.find(({ zone }) => zone === 'RURAL')!
    if (unlisted) unlisted.postcodes = [...unlisted.postcodes, '3999']
    else rural.postcodes = ['3000-3998']
  })
  expect(changes.map(({ amounts }) => amounts)).toEqual([undefined])
})
