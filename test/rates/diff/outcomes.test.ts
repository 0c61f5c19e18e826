import { expect, test } from 'vitest'
import { changesOf } from '#rates/diff/figures.ts'
import { typedChanges } from '#rates/diff/typed-changes.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Case } from '#rates/engine/grammar/rule.ts'
import { sets } from '../properties/sets.ts'

/*
 * A component that is not priced, or free, for a part of a year. Number plates of Victoria have a case of motorcycles, which
 * is not priced, and one of all others.
 */
const PLATES = '44.20'
const UNPRICED: Case = { unpriced: 'The fee of 2027 is not published.' }
const FREE: Case = { exempt: { reason: 'No fee is asked.', line: 'omit' } }

/** Victoria, its rule of a component replaced by others, each from a day on; the first from the first day of the year. */
function victoria(component: string, ...versions: [from: string | undefined, edit: (cases: Case[]) => Case[]][]) {
  const copy: RateSetSpec[] = structuredClone(
    sets.filter(({ pricingCode, financialYear }) => {
      return ['AU', 'AU_VIC'].includes(pricingCode) && financialYear === '2026-2027'
    }),
  )
  const vic = copy.find(({ pricingCode }) => pricingCode === 'AU_VIC')!
  const rule = vic.rules.find((one) => one.component === component)!
  vic.rules = [
    ...vic.rules.filter((one) => one !== rule),
    ...versions.map(([from, edit], at) => {
      const after = versions[at + 1]?.[0]
      const endDate = after && new Date(Date.parse(after) - 86_400_000).toISOString().slice(0, 10)
      const cases = edit(structuredClone(rule.cases))
      return { ...rule, cases, ...(from && { startDate: from }), ...(endDate && { endDate }) }
    }),
  ]
  return copy
}

const same = (cases: Case[]) => cases
const only = (one: Case) => () => [one]
const last = (one: Case) => (cases: Case[]) => cases.with(-1, one)

/** Lines of what changes for a component, without what the figures rest on. */
const linesOf = (old: RateSetSpec[], now: RateSetSpec[]) =>
  changesOf(old, now, '2026-11-21')
    .filter(({ about, role }) => about !== 'evidence' && role !== 'condition')
    .map((one) => `${one.label}: ${one.old} → ${one.new} from ${one.from}${one.until ? ` until ${one.until}` : ''}`)

const plates = (...edits: [from: string, edit: (cases: Case[]) => Case[]][]) =>
  victoria('PLATES', [undefined, same], ...edits)
const always = plates()

test.each([
  ['not priced', UNPRICED, 'not priced (The fee of 2027 is not published.)'],
  [
    'not priced, in words that begin otherwise',
    { unpriced: 'no charge was found' },
    'not priced (no charge was found)',
  ],
  ['free', FREE, 'no charge'],
  ['refused', { reject: 'INVALID_VEHICLE_INPUT' } satisfies Case, 'refused'],
])('an amount that is %s from a day on is told as one change, and comes back as one', (_, outcome, words) => {
  const now = plates(['2027-01-01', last(outcome)])
  expect(linesOf(always, now)).toEqual([`otherwise: amount: $${PLATES} → ${words} from 2027-01-01`])
  expect(linesOf(now, always)).toEqual([`otherwise: amount: ${words} → $${PLATES} from 2027-01-01`])
})

test('a rule of several cases that is replaced by one outcome says it of each amount and outcome', () => {
  const now = plates(['2027-01-01', only(UNPRICED)])
  const [gone, ended, amount, ...more] = changesOf(always, now, '2026-11-21').filter(
    ({ about }) => about !== 'evidence',
  )
  expect(gone).toMatchObject({ label: 'bodyType motorcycle: outcome', new: UNPRICED.unpriced })
  expect(ended).toMatchObject({ role: 'condition', old: 'bodyType motorcycle', new: 'otherwise' })
  expect(amount).toMatchObject({ label: 'otherwise: amount', new: `not priced (${UNPRICED.unpriced})` })
  expect(more).toEqual([])
})

test('each figure of a table that is not priced says so, and the table is not told to end', () => {
  const now = victoria('CTP', [undefined, same], ['2027-01-01', last(UNPRICED)])
  const lines = linesOf(victoria('CTP', [undefined, same]), now)
  expect(lines.map((line) => line.replace(/\$\d+/, '$'))).toEqual(
    ['METRO', 'OUTER', 'UNLISTED', 'RURAL'].map(
      (zone) => `otherwise: ${zone} for 12 months: $ → not priced (${UNPRICED.unpriced}) from 2027-01-01`,
    ),
  )
})

test('an amount that is first not priced and then free is told of both periods', () => {
  const now = plates(['2027-01-01', last(UNPRICED)], ['2027-03-01', last(FREE)])
  expect(linesOf(always, now)).toEqual([
    `otherwise: amount: $${PLATES} → not priced (${UNPRICED.unpriced}) from 2027-01-01 until 2027-02-28`,
    `otherwise: amount: $${PLATES} → no charge from 2027-03-01`,
  ])
})

test('an outcome that changes into another is told once, as the outcome', () => {
  const [was, is] = [plates(['2027-01-01', last(UNPRICED)]), plates(['2027-01-01', last(FREE)])]
  expect(linesOf(was, is)).toEqual([
    `otherwise: outcome: ${UNPRICED.unpriced} → no charge, no line: No fee is asked. from 2027-01-01`,
  ])
})

test('in a year that is new, an amount that turns in mid-year is told alike', () => {
  const lastYear = sets.filter(({ pricingCode, financialYear }) => {
    return ['AU', 'AU_VIC'].includes(pricingCode) && financialYear === '2025-2026'
  })
  const now = [...lastYear, ...plates(['2027-01-01', last(FREE)])]
  expect(linesOf(lastYear, now).filter((line) => line.includes('from 2027-01-01'))).toEqual([
    `otherwise: amount: $${PLATES} → no charge from 2027-01-01`,
  ])
})

test('in /v1/changes the amount stays data: it ends, and the outcome begins', () => {
  const told = [...typedChanges(plates(['2027-01-01', last(FREE)]))].flat().filter((one) => one.name === 'PLATES')
  const amount = { description: 'otherwise: amount', unit: 'cents', from: 4420, to: null }
  const outcome = { description: 'otherwise: outcome', unit: 'words', from: null }
  expect(told).toHaveLength(2)
  expect(told).toEqual(expect.arrayContaining([expect.objectContaining(amount), expect.objectContaining(outcome)]))
})
