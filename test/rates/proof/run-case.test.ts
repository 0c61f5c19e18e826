import { expect, test } from 'vitest'
import type { QuoteCase } from '../../../rates/files/cases.ts'
import { runCase } from '../../../rates/proof/run-case.ts'
import { runExampleOf } from '../../../rates/proof/run-examples.ts'
import { rule, set, snapshotOf } from '../engine/small-set.ts'

const dutiable = rule({
  component: 'DUTIABLE_LINE',
  category: 'dutiable',
  gst: '1/11',
  cases: [{ charge: { flat: '0' } }],
})
const premium = rule({ component: 'PREMIUM', gst: '1/11', cases: [{ charge: { flat: '110' } }] })
const unknown = rule({ component: 'LEVY', cases: [{ unpriced: 'The levy was not found.' }] })
const exempt = rule({ component: 'FEE', cases: [{ exempt: { reason: 'None is due.', line: 'omit' } }] })
const spec = set({ rules: [dutiable, premium, unknown, exempt] })

/** Names of the expectations that a quote of $22,000 does not meet. */
function unmet(figures: Record<string, string>): string[] {
  const request = { date: '2026-08-10', dutiable: '22000' }
  const one: QuoteCase = { ...place, request, figures, warnings: [], ruleIds: {} }
  const example = { name: 'one', source: { kind: 'formula' as const, name: 'act' }, given: request, expect: figures }
  const ofCase = runCase(one, snapshotOf(spec)).map(({ what }) => what)
  expect(runExampleOf(example, spec, snapshotOf(spec)).map(({ what }) => what)).toEqual(ofCase)
  return ofCase
}

const place = { file: 'xx.yaml', line: 1, pricingCode: 'AU_XX', name: 'one', source: 'made for this test' }

test('none and unpriced are different expectations, in cases and in examples', () => {
  expect(unmet({ LEVY: 'unpriced', FEE: 'none' })).toEqual([])
  expect(unmet({ LEVY: 'none', FEE: 'unpriced' })).toEqual(['LEVY', 'FEE'])
  expect(unmet({ PREMIUM: 'unpriced' })).toEqual(['PREMIUM'])
})

// One eleventh of 22,000 is 2,000; of 110 it is 10.
test('gst is part of expect: of a line, of the lines of the request, and overall', () => {
  expect(unmet({ 'gst:DUTIABLE_LINE': '2000.00', 'gst:PREMIUM': '10', 'gst:overall': '2010.00' })).toEqual([])
  expect(unmet({ 'gst:DUTIABLE_LINE': '2000.01', 'gst:PREMIUM': '0', 'gst:overall': '0' })).toEqual([
    'gst:DUTIABLE_LINE',
    'gst:PREMIUM',
    'gst:overall',
  ])
  expect(unmet({ 'gst:LEVY': 'unpriced', 'gst:FEE': 'none' })).toEqual([])
})

test('an expectation of DUTY is not met by a line STAMP_DUTY, nor reported for it', () => {
  const duties = set({
    rules: [
      rule({ component: 'DUTY', cases: [{ charge: { flat: '1' } }] }),
      rule({ component: 'STAMP_DUTY', cases: [{ charge: { flat: '2' } }] }),
    ],
  })
  const example = {
    name: 'one',
    source: { kind: 'formula' as const, name: 'act' },
    given: { dutiable: '1' },
    expect: { DUTY: '1', STAMP_DUTY: '3' },
  }
  expect(runExampleOf(example, duties, snapshotOf(duties)).map(({ what }) => what)).toEqual(['STAMP_DUTY'])
})

const graded = set({
  timeZone: 'Australia/Hobart',
  rules: [
    rule({
      component: 'FEE',
      missing: [{ fact: 'seats', assume: '8', warning: 'Seats not sent.' }],
      cases: [
        { when: { seats: { max: '9' } }, charge: { flat: '1' }, evidence: 'estimate', warning: 'An upper bound.' },
        { charge: { flat: '2' } },
      ],
    }),
  ],
})

/** Names of the statements that a quote does not make; `seats` 12 is the fee of a known grade. */
function unsaid(expected: Partial<QuoteCase>, seats?: string): string[] {
  const request = { date: '2026-08-10', dutiable: '22000', bodyType: 'bus', ...(seats === undefined ? {} : { seats }) }
  const one: QuoteCase = { ...place, request, figures: {}, warnings: [], ruleIds: {}, ...expected }
  return runCase(one, snapshotOf(graded)).map(({ what, got }) => `${what} is ${got}`)
}

test('a grade is expected of a component, and a line of another grade or no line does not meet it', () => {
  expect(unsaid({ evidence: { FEE: 'estimate' } })).toEqual([])
  expect(unsaid({ evidence: { FEE: 'official', LEVY: 'official' } })).toEqual([
    'evidence of FEE is estimate',
    'evidence of LEVY is none',
  ])
})

test('which lines may rise is expected, all of them', () => {
  expect(unsaid({ mayRise: ['FEE'] })).toEqual([])
  expect(unsaid({ mayRise: [] })).toEqual(['may rise is FEE'])
  expect(unsaid({ mayRise: ['FEE', 'LEVY'] })).toEqual(['may rise is FEE'])
})

test('a value taken for a fact is expected, and a fact that was sent is not taken', () => {
  expect(unsaid({ assumed: { seats: '8' } })).toEqual([])
  expect(unsaid({ assumed: { seats: '9' } })).toEqual(['assumed seats is 8'])
  expect(unsaid({ assumed: { 'FEE.seats': '8', 'LEVY.seats': 'nothing' } })).toEqual([])
  expect(unsaid({ assumed: { 'LEVY.seats': '8' } })).toEqual(['assumed LEVY.seats is nothing'])
  expect(unsaid({ assumed: { seats: '8' } }, '12')).toEqual(['assumed seats is nothing'])
})

test('words that no warning may have, and the zone of the year', () => {
  expect(unsaid({ unwarned: ['upper bound'], timeZone: 'Australia/Hobart' }, '12')).toEqual([])
  expect(unsaid({ unwarned: ['upper bound'], timeZone: 'Australia/Perth' })).toEqual([
    'warning is An upper bound.',
    'time zone is Australia/Hobart',
  ])
})
