import { expect, test } from 'vitest'
import { coverSets } from '#rates/coverage/cover-sets.ts'
import { dayTable } from '#rates/coverage/day-table.ts'
import { coverDay, pricedOf } from '#rates/coverage/on-day.ts'
import { changed, federal, state, type Changes } from '../checks/sample.ts'

const on = (date: string, ...changes: Changes[]) =>
  coverDay(coverSets([federal(), ...(changes.length > 0 ? changes.map((one) => changed(one)) : [state()])]), date)

const tasmania = (date: string, ...changes: Changes[]) =>
  on(date, ...changes).codes.find(({ pricingCode }) => pricingCode === 'AU_TAS')!

test('the first and the last day of a year are in it', () => {
  const components = (date: string) => tasmania(date).rules.map(({ component }) => component)
  expect(components('2026-07-01')).toEqual(['STAMP_DUTY', 'CTP'])
  expect(components('2027-06-30')).toEqual(['STAMP_DUTY', 'CTP'])
})

test('on a day that no set covers every component of the year before is missing', () => {
  expect(tasmania('2027-07-01')).toEqual({ pricingCode: 'AU_TAS', rules: [], missing: ['STAMP_DUTY', 'CTP'] })
})

test('on a day before the first set every component of that set is missing', () => {
  expect(tasmania('2026-06-30')).toMatchObject({ rules: [], missing: ['STAMP_DUTY', 'CTP'] })
})

test('a component that the year before has and this one has not is missing', () => {
  const older = changed({ financialYear: '2025-2026' })
  const newer = { rules: state().rules.slice(1) }
  expect(tasmania('2026-08-01', { financialYear: older.financialYear }, newer).missing).toEqual(['STAMP_DUTY'])
})

test('of two rules in one year only the one of the day is in force', () => {
  const [duty, premium] = state().rules
  const rules = [{ ...duty, endDate: '2026-08-31' }, { ...duty, startDate: '2026-09-01' }, premium]
  const startOf = (date: string) => tasmania(date, { rules }).rules.map(({ startDate }) => startDate)
  expect(startOf('2026-08-31')).toEqual(['2026-07-01', '2026-07-01'])
  expect(startOf('2026-09-01')).toEqual(['2026-09-01', '2026-07-01'])
})

test('a rule is past its review date on the day after it', () => {
  const past = (date: string) => on(date).totals.pastReview
  expect(past('2027-06-01')).toBe(0)
  expect(past('2027-06-02')).toBe(3)
})

test('what is priced says whether some vehicles, all or none are left out', () => {
  expect(pricedOf({ grades: ['official'], unpriced: [] })).toBe('priced')
  expect(pricedOf({ grades: ['official'], unpriced: ['Buses.'] })).toBe('in part')
  expect(pricedOf({ grades: [], unpriced: ['Not found.'] })).toBe('not priced')
  expect(pricedOf({ grades: [], unpriced: [] })).toBe('no line')
})

test('the totals count what is missing, not priced and priced in part', () => {
  const unpriced = { 'rules[0].cases': [{ unpriced: 'Not found.' }] }
  expect(on('2026-08-01', unpriced).totals).toEqual({ rules: 3, missing: 0, inPart: 1, notPriced: 1, pastReview: 0 })
})

test('the table has a line for each rule, one for a code of which nothing is in force, and the totals', () => {
  expect(dayTable(on('2027-06-02'))).toEqual([
    'code    component       in force                  priced   evidence  review by',
    'AU      LUXURY_CAR_TAX  2026-07-01 to 2027-06-30  priced   official  2027-06-01 PAST',
    'AU_TAS  STAMP_DUTY      2026-07-01 to 2027-06-30  priced   official  2027-06-01 PAST',
    'AU_TAS  CTP             2026-07-01 to 2027-06-30  in part  official  2027-06-01 PAST',
    'On 2027-06-02: 3 rules in force; 0 components missing, 0 not priced, 1 priced in part, 3 past the review date.',
  ])
  expect(dayTable(on('2027-07-01'))).toContain('AU_TAS  all 2 components  MISSING')
})
