import { expect, test } from 'vitest'
import { messageOf } from '#notices/render/message.ts'
import type { Notice } from '#notices/notice.ts'
import type { FigureChange } from '#rates/diff/figure-change.ts'
import { change, withChanges } from './invented-notice.ts'

test('a set that can no longer be quoted is named first, beside whatever else changes', () => {
  const gone = change({
    ...{
      pricingCode: 'AU_WA',
      kind: 'set',
      component: 'set',
      label: 'rate set FY27',
      financialYear: '2026-2027',
      old: 'published',
      new: null,
    },
    from: '2026-07-01',
  })
  const { subject, text } = messageOf(withChanges([gone, change({})], { names: { AU_VIC: 'Victoria' } }))
  expect(subject).toBe(
    'AU_WA 2026-27 can no longer be quoted; Victoria: amounts for stamp duty change from 1 July 2027',
  )
  expect(text.split('\n')[0]).toMatch(
    /^northside: AU_WA 2026-27 can no longer be quoted\. Our service gives no quotes for vehicles registered in AU_WA on or after 1 July 2026, until further notice\. Do not rely on quotes that you have for these vehicles: ask us before a customer signs\. Amounts for stamp duty in Victoria change from 1 July 2027\. New quotes from our service follow this automatically; quotes that you have given do not change\. Re-issue/,
  )
})

test('what was charged on past days took place: a correction of it is no change that does not', () => {
  const past = { from: '2026-07-01', correction: true, course: 'cancelled' as const }
  const { subject, text } = messageOf(withChanges([change({ ...past, old: '$45.20', new: '$44.20' })]))
  expect(`${subject} ${text}`).not.toContain('does not take place')
  expect(subject).toBe('AU_VIC: amounts for stamp duty are corrected from 1 July 2026')
  const later = messageOf(withChanges([change({ ...past, course: 'postponed', until: '2027-01-31' })]))
  expect(later.text).toContain('amount: $1 → $2 (until 31 January 2027)')
})

test('what to do says until when, where each change ends and all are listed', () => {
  const todo = (changes: FigureChange[], more: Partial<Notice> = {}) =>
    / Re-issue quotes for vehicles to be registered (.*)\./.exec(messageOf(withChanges(changes, more)).text)![1]
  const [short, long] = ['2027-07-31', '2027-09-30'].map((until) => change({ until }))
  expect(todo([short!, long!])).toBe('from 1 July 2027 to 30 September 2027')
  expect(todo([short!, change({})])).toBe('on or after that day')
  expect(todo([short!], { more: [{ pricingCode: 'AU_VIC', from: '2027-07-01', count: 1 }] })).toBe(
    'on or after that day',
  )
  expect(todo([short!, change({ from: '2027-08-01', until: '2027-08-31' })])).toBe('on or after 1 July 2027')
})

test('a long list of postcodes is cut between two, and says how many follow', () => {
  const postcodes = Array.from({ length: 60 }, (_, at) => String(3000 + at * 3))
  const label = `postcodes ${postcodes.join(', ')}`
  const moved = change({ kind: 'other', component: 'zones TAC', label, postcodes, old: 'METRO', new: 'RURAL' })
  const { text } = messageOf(withChanges([moved]))
  const [, listed, more] = /postcodes ([\d, ]+) and (\d+) more: METRO → RURAL/.exec(text)!
  expect(listed!.split(', ').length + Number(more)).toBe(60)
  expect(postcodes).toEqual(expect.arrayContaining(listed!.split(', ')))
})

test('a set that is new is said in the summary beside its amounts, once, and with the year', () => {
  const set = { ...{ kind: 'set' as const, component: 'set', label: 'rate set FY28', financialYear: '2027-2028' } }
  const first = change({ ...set, old: null, new: 'published' })
  const names = { AU_NSW: 'New South Wales', AU_TAS: 'Tasmania', AU_VIC: 'Victoria' }
  const others = ['AU_NSW', 'AU_TAS'].map((pricingCode) => change({ pricingCode }))
  const { text } = messageOf(withChanges([first, change({}), ...others], { names }))
  expect(text).toContain(
    '- Victoria, from 1 July 2027: rates of 2027-28 are now published; amounts for stamp duty (1 change)',
  )
})

test('a correction that is only counted is said in the summary, beside what is to come', () => {
  const more = [{ pricingCode: 'AU_NSW', from: '2026-07-01', count: 3, correction: true }]
  const names = { AU_NSW: 'New South Wales', AU_VIC: 'Victoria' }
  const { subject, text } = messageOf(withChanges([change({})], { more, names, issuedAt: '2026-11-21T00:00:00Z' }))
  expect(subject).toMatch(
    /^New South Wales: rates are corrected from 1 July 2026; Victoria: .* change from 1 July 2027$/,
  )
  expect(text).toContain(
    'New South Wales, from 1 July 2026: rates (3 changes, a correction of amounts in use since that day)',
  )
  expect(text).toContain('Victoria, from 1 July 2027: amounts for stamp duty (1 change)')
})

const inStates = [
  change({ pricingCode: 'AU_NT', kind: 'concession', component: 'PENSIONER' }),
  change({ pricingCode: 'AU_VIC', component: 'PLATES' }),
  change({ pricingCode: 'AU_VIC', kind: 'concession', component: 'APPRENTICE' }),
  change({ pricingCode: 'AU_WA' }),
]

test('where jurisdictions change different things, each is told with its own, concessions too', () => {
  const { subject, text } = messageOf(withChanges(inStates.slice(0, 3)))
  expect(subject).toBe(
    'AU_NT: concessions (pensioner) change from 1 July 2027; AU_VIC: amounts for plates and concessions (apprentice) change from 1 July 2027',
  )
  expect(text.split('\n')[0]).toContain(
    'concessions (pensioner) in AU_NT change from 1 July 2027; amounts for plates and concessions (apprentice) in AU_VIC change',
  )
})

test('where too many change different things, no amount is said to change in a place where it does not', () => {
  const { subject, text } = messageOf(withChanges(inStates))
  expect(subject).toBe('AU_NT, AU_VIC and AU_WA: rates change from 1 July 2027')
  expect(text.split('\n')[0]).toContain('northside: rates in AU_NT, AU_VIC and AU_WA change from 1 July 2027.')
})

test('a correction says what to do with quotes, and beside other changes that there is one', () => {
  const past = change({ from: '2026-07-01', correction: true })
  const first = (changes: FigureChange[]) => messageOf(withChanges(changes)).text.split('\n')[0]
  expect(first([past])).toContain('Check and re-issue open quotes for vehicles to be registered on or after that day.')
  expect(first([past, change({})])).toContain('change from 1 July 2026 on, with corrections. ')
})

test('a line that follows another one is named, in the subject too', () => {
  const followers = [{ component: 'INSURANCE_DUTY', percent: '10' }]
  const { subject, text } = messageOf(withChanges([change({ component: 'CTP', followers, sources: ['A record'] })]))
  expect(subject).toBe('AU_VIC: amounts for CTP and insurance duty change from 1 July 2027')
  expect(text).toContain('amount: $1 → $2\n  Insurance duty is 10 % of CTP.\n  Source: A record')
  const assumed = change({ kind: 'other', component: 'missing facts', followers: [{ component: 'CTP' }, ...followers] })
  expect(messageOf(withChanges([assumed])).text).toContain('\n  Selects the amounts for CTP and insurance duty.\n')
})
