import { expect, test } from 'vitest'
import { coverSets, type RuleCoverage } from '#rates/coverage/cover-sets.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { changed, federal, state, type Changes } from '../checks/sample.ts'

const cover = (spec: RateSetSpec) => coverSets([spec, federal()]).find(({ pricingCode }) => pricingCode === 'AU_TAS')!

const ruleOf = (component: string, changes: Changes = {}): RuleCoverage =>
  cover(changed(changes)).rules.find((rule) => rule.component === component)!

const duty = 'rules[0].cases[1]'
const premium = 'rules[1].cases[0]'

test('a rule without other grades has that of its verification', () => {
  expect(ruleOf('STAMP_DUTY')).toMatchObject({
    ruleId: 'AU_TAS_STAMP_DUTY_FY27',
    startDate: '2026-07-01',
    endDate: '2027-06-30',
    grades: ['official'],
    unpriced: [],
    estimates: [],
    reviewBy: '2027-06-01',
  })
})

test('the grades of the cases are all named, the surest first', () => {
  const changes = { [`${duty}.evidence`]: 'estimate', [`${duty}.warning`]: 'Duty is an estimate.' }
  expect(ruleOf('STAMP_DUTY', changes)).toMatchObject({
    grades: ['official', 'estimate'],
    estimates: ['Duty is an estimate.'],
  })
})

test('a warning of a figure that is no estimate is not among the estimates', () => {
  expect(ruleOf('STAMP_DUTY', { [`${duty}.warning`]: 'Mind the date.' }).estimates).toEqual([])
})

test('a parameter that is less sure than the figure made of it lowers its grade', () => {
  expect(ruleOf('CTP', { 'parameters[0].values[0].evidence': 'derived' }).grades).toEqual(['derived'])
})

test('a parameter that is surer than the figure made of it does not raise its grade', () => {
  expect(ruleOf('CTP', { [`${premium}.evidence`]: 'secondary' }).grades).toEqual(['secondary'])
})

test('a parameter of an imported set counts too', () => {
  const imported = changed({ 'parameters[0].values[0].evidence': 'secondary' }, federal())
  const [, set] = coverSets([state(), imported])
  expect(set?.rules[0]?.grades).toEqual(['official', 'secondary'])
})

test('each row of a table has its own grade and warning', () => {
  const rows = [
    { zone: 'CITY', amounts: ['40'], evidence: 'estimate', warning: 'The city is an estimate.' },
    { zone: 'REST', amounts: ['30'] },
  ]
  expect(ruleOf('CTP', { [`${premium}.charge.table.rows`]: rows })).toMatchObject({
    grades: ['official', 'estimate'],
    estimates: ['The city is an estimate.'],
  })
})

test('a term that is less sure than the annual figure has its own grade and warning', () => {
  const term = { months: 6, factor: '1/2', evidence: 'estimate', warning: 'Half is an estimate.' }
  expect(ruleOf('CTP', { 'termScales[0].terms[1]': term })).toMatchObject({
    grades: ['official', 'estimate'],
    estimates: ['Half is an estimate.'],
  })
})

test('a term that is surer than the annual figure does not raise its grade', () => {
  const changes = { [`${premium}.evidence`]: 'secondary', 'termScales[0].terms[1].evidence': 'official' }
  expect(ruleOf('CTP', changes).grades).toEqual(['secondary'])
})

test('a row that is not published is not priced and has no grade', () => {
  const rule = ruleOf('CTP', { [`${premium}.charge.table.rows[1].evidence`]: 'estimate' })
  expect(rule).toMatchObject({ grades: ['official'], unpriced: ['No amount is published for: REST.'] })
})

test('a case that is not priced says so in its own words, once', () => {
  const cases = [{ when: { class: ['green'] }, unpriced: 'Not found.' }, { unpriced: 'Not found.' }]
  expect(ruleOf('STAMP_DUTY', { 'rules[0].cases': cases })).toMatchObject({ grades: [], unpriced: ['Not found.'] })
})

test('a rule of a part of the year has its own days', () => {
  const dates = { 'rules[0].startDate': '2026-09-01', 'rules[0].endDate': '2027-01-31' }
  expect(ruleOf('STAMP_DUTY', dates)).toMatchObject({ startDate: '2026-09-01', endDate: '2027-01-31' })
})

test('a concession has the grades of its adjustments and its sources', () => {
  const adjustments = [
    { component: 'CTP', percentOff: '50' },
    { component: 'CTP', set: '0', evidence: 'derived' },
  ]
  expect(cover(changed({ 'concessions[0].adjustments': adjustments })).concessions).toMatchObject([
    { type: 'PENSIONER', grades: ['official', 'derived'], sources: [{ label: 'Duties Act' }] },
  ])
})

test('sets come by code and year, and withdrawn ones are left out', () => {
  const older = changed({ financialYear: '2025-2026' })
  const gone = changed({ financialYear: '2024-2025', withdrawn: true })
  expect(coverSets([state(), gone, older, federal()]).map(({ name }) => name)).toEqual([
    'au-fy27',
    'au-tas-fy26',
    'au-tas-fy27',
  ])
})
