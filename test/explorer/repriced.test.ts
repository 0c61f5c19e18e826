import { expect, test } from 'vitest'
import { cellOf, differenceOf, shown } from '#explorer/page/charge.ts'
import { repriced } from '#explorer/page/repriced.ts'
import { charging, request, rule, set, snapshotOf } from '../rates/engine/small-set.ts'

const priced = snapshotOf(charging({ flat: '100' }))
const unpriced = snapshotOf(set({ rules: [rule({ cases: [{ unpriced: 'Not in the sources.' }] })] }))
const year = { from: '2026-07-01', until: '2027-06-30', component: 'DUTY' }

test('a figure that one side lacks is no line of that side, and nobody knows the difference', () => {
  expect(repriced(request(30_000), unpriced, priced)).toEqual([{ ...year, old: 'unpriced', now: 100_00 }])
  expect(repriced(request(30_000), priced, unpriced)).toEqual([{ ...year, old: 100_00, now: 'unpriced' }])
  expect(repriced(request(30_000), unpriced, unpriced)).toEqual([])
  expect([shown('unpriced'), differenceOf('unpriced', 100_00), cellOf('unpriced')]).toEqual([
    'no price',
    null,
    'no price',
  ])
})

test('a charge that one side does not have is no line there; a side without rates of the day has no price', () => {
  const none = snapshotOf(set({ rules: [rule({ cases: [{ exempt: { reason: 'Not a car.', line: 'omit' } }] })] }))
  expect(repriced(request(30_000), none, priced)).toEqual([{ ...year, old: null, now: 100_00 }])
  expect([shown(null), differenceOf(null, 100_00), cellOf(null)]).toEqual(['no line', 100_00, ''])
  const later = snapshotOf(charging({ flat: '100' }, { financialYear: '2027-2028' }))
  expect(repriced(request(30_000), later, priced)[0]).toEqual({ ...year, old: 'unpriced', now: 100_00 })
})
