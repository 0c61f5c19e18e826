import { expect, test } from 'vitest'
import { changesOf } from '#rates/diff/figures.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets } from '../properties/sets.ts'

/** Victoria of two years with what it imports. */
function victoria(edit: (vic: RateSetSpec) => void = () => undefined): RateSetSpec[] {
  const copy = structuredClone(
    sets.filter((one) => ['AU', 'AU_VIC'].includes(one.pricingCode) && one.financialYear >= '2025-2026'),
  )
  edit(copy.find((one) => one.pricingCode === 'AU_VIC' && one.financialYear === '2026-2027')!)
  return copy
}

const TODAY = '2026-11-21'
const withdrawn = (vic: RateSetSpec) => void (vic.withdrawn = true)
const feeUnit = (value: string) => (vic: RateSetSpec) => void (vic.parameters![0]!.values[0]!.value = value)
const again = { kind: 'set', label: 'rate set FY27', old: 'withdrawn', new: 'published again', from: '2026-07-01' }

test('a withdrawn set that is published again is told as such, and not as a new year', () => {
  expect(changesOf(victoria(withdrawn), victoria(), TODAY)).toMatchObject([again])
})

test('a set that is published again with other figures says what differs from what it said before', () => {
  const [set, ...figures] = changesOf(victoria(withdrawn), victoria(feeUnit('17.37')), TODAY)
  expect(set).toMatchObject(again)
  expect(figures.map(({ component }) => component)).toEqual(['REGISTRATION', 'TRANSFER_FEE', 'FEE_UNIT'])
  expect(figures[2]).toMatchObject({ old: '$17.27', new: '$17.37', from: '2026-07-01' })
})

test('a figure of mid-year that the withdrawn set had is no change of the set that returns', () => {
  const january = (vic: RateSetSpec) => {
    const [value] = vic.parameters![0]!.values
    vic.parameters![0]!.values.push({ ...value!, value: '17.40', startDate: '2027-01-01' })
  }
  const old = victoria((vic) => {
    january(vic)
    withdrawn(vic)
  })
  expect(changesOf(old, victoria(january), TODAY)).toMatchObject([again])
  const [set, ...figures] = changesOf(old, victoria(), TODAY)
  expect(set).toMatchObject(again)
  expect(new Set(figures.map(({ from }) => from))).toEqual(new Set(['2027-01-01']))
})

test('a set that stays withdrawn, or was never published, is no return', () => {
  expect(changesOf(victoria(withdrawn), victoria(withdrawn), TODAY)).toEqual([])
  const without = victoria().filter((one) => one.pricingCode !== 'AU_VIC' || one.financialYear !== '2026-2027')
  expect(changesOf(without, victoria(), TODAY)[0]).toMatchObject({ kind: 'set', old: null, new: 'published' })
})
