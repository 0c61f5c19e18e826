import { expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { recipientOf, type Recipient } from '#notices/recipient.ts'
import { noticesOf } from '#notices/tell.ts'
import { inventedSet } from '../operator/invented-set.ts'
import { sets as committed } from '../rates/properties/sets.ts'

const northside: Recipient = { client: 'northside', to: ['rates@northside.example'] }
const westside: Recipient = { client: 'westside', to: ['rates@westside.example'] }

const sets = (victoria: string, federal = '10.00'): RateSetSpec[] => [
  inventedSet('AU', { fee: federal }),
  inventedSet('AU_VIC', { fee: victoria }),
  inventedSet('AU_NSW'),
]

interface Situation {
  number?: number
  today?: string
  recipients?: Recipient[]
}

const told = (old: RateSetSpec[], now: RateSetSpec[], { number = 1, today, recipients }: Situation = {}) => [
  ...noticesOf({ number, release: 'old', sets: old }, { release: 'new', sets: now }, recipients ?? [northside], {
    environment: 'staging',
    today: () => today ?? '2026-06-30',
  }),
]

test('a changed figure is told to each client with its old and new amount, its day and its source', () => {
  const notices = told(sets('10.00'), sets('12.00'), { recipients: [northside, westside] })
  expect(notices).toMatchObject([
    { client: 'northside', environment: 'staging', release: 'new' },
    { client: 'westside' },
  ])
  expect(notices[0]!.changes).toMatchObject([
    { pricingCode: 'AU_VIC', component: 'PLATES', old: '$10.00', new: '$12.00', from: '2026-07-01', correction: false },
  ])
  expect(notices[0]!.changes[0]!.sources).toEqual(['Invented'])
})

test('a client that asked for some pricing codes is told of those and of what they import, and of nothing else', () => {
  const victoria = { ...northside, pricingCodes: ['AU_VIC'] }
  const wales = { ...westside, pricingCodes: ['AU_NSW'] }
  const state = told(sets('10.00'), sets('12.00'), { recipients: [victoria, wales] })
  expect(state.map(({ client }) => client)).toEqual(['northside'])
  const federal = told(sets('10.00'), sets('10.00', '11.00'), { recipients: [victoria, wales] })
  expect(federal.map(({ client }) => client)).toEqual(['northside', 'westside'])
  expect(new Set(federal[0]!.changes.map(({ pricingCode }) => pricingCode))).toEqual(new Set(['AU']))
})

test('of the lines that follow a federal one, those of the states of a client are named', () => {
  const ofYear = committed.filter(({ financialYear }) => financialYear === '2026-2027')
  const now = structuredClone(ofYear)
  const federal = now.find(({ pricingCode }) => pricingCode === 'AU')!
  federal.parameters!.find(({ name }) => name === 'LCT_THRESHOLD')!.values[0]!.value = '80999'
  const [notice] = told(ofYear, now, { recipients: [{ ...northside, pricingCodes: ['AU_VIC'] }] })
  const [tax] = notice!.changes.filter(({ component }) => component === 'LUXURY_CAR_TAX')
  expect(tax?.followers).toEqual([{ component: 'STAMP_DUTY', pricingCode: 'AU_VIC' }])
  expect(notice!.names).toMatchObject({ AU_VIC: 'Victoria' })
})

test('words and grades of evidence are no news', () => {
  const now = sets('10.00')
  const [rule] = now[1]!.rules
  rule!.description = 'Said otherwise.'
  rule!.verification = { ...rule!.verification, evidence: 'secondary' }
  expect(told(sets('10.00'), now)).toEqual([])
})

test('what reaches days already past, where the rate applies, is marked as a correction', () => {
  const correctionOn = (today: string) => told(sets('10.00'), sets('12.00'), { today })[0]!.changes[0]!.correction
  expect([correctionOn('2026-07-01'), correctionOn('2026-07-02')]).toEqual([false, true])
})

test('a digest is the same on another day, and another for another client, another change and another announcement', () => {
  const digest = (situation: Situation, fee = '12.00') => told(sets('10.00'), sets(fee), situation)[0]!.digest
  expect(digest({})).toMatch(/^[0-9a-f]{64}$/)
  expect(digest({ today: '2027-01-01' })).toBe(digest({}))
  const others = [digest({ recipients: [westside] }), digest({}, '13.00'), digest({ number: 3 })]
  expect(new Set([...others, digest({})]).size).toBe(4)
})

test('a withdrawn rate set and a new one are told', () => {
  const [federal, victoria, wales] = sets('10.00')
  expect(told([federal!, victoria!, wales!], [federal!, wales!])[0]!.changes).toMatchObject([
    { pricingCode: 'AU_VIC', kind: 'set', old: 'published', new: null },
  ])
  expect(told([federal!, wales!], [federal!, victoria!, wales!])[0]!.changes).toMatchObject([
    { pricingCode: 'AU_VIC', kind: 'set', old: null, new: 'published' },
  ])
})

test('only contacts with notices are written to, each once, and nobody of a suspended client', () => {
  const contacts = [
    { email: 'a@example.com', notices: true },
    { email: 'b@example.com', notices: false },
    { email: 'a@example.com', notices: true },
  ]
  expect(recipientOf('northside', { contacts })).toEqual({ client: 'northside', to: ['a@example.com'] })
  expect(recipientOf('northside', { contacts, notices: { pricingCodes: ['AU_VIC'] } })?.pricingCodes).toEqual([
    'AU_VIC',
  ])
  expect(recipientOf('northside', { contacts, suspended: true })).toBeUndefined()
  expect(recipientOf('northside', { contacts: contacts.slice(1, 2) })).toBeUndefined()
  expect(recipientOf('northside', {})).toBeUndefined()
})

test('a year that is published after its first day corrects nothing, however many changes are not listed', () => {
  const old = committed.filter(({ financialYear }) => financialYear === '2024-2025')
  const now = committed.filter(({ financialYear }) => financialYear !== '2026-2027')
  const { changes, more = [] } = told(old, now, { today: '2025-07-02' })[0]!
  expect(more.length).toBeGreaterThan(0)
  expect([...changes, ...more].filter(({ correction }) => correction)).toEqual([])
  const codes = new Set(now.map(({ pricingCode }) => pricingCode))
  expect(new Set(changes.filter(({ kind }) => kind === 'set').map(({ pricingCode }) => pricingCode))).toEqual(codes)
})
