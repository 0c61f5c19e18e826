import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import type { TypedChange } from '../../../rates/diff/typed-changes.ts'
import { calendarOf } from '../../../api/pricing/changes-calendar.ts'
import { contractServer, type Refusal } from './contract-server.ts'

const { get } = contractServer()

/** A calendar as a calendar program reads it. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  const events = calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))
  return {
    title: calendar.getFirstPropertyValue('x-wr-calname'),
    events: events.map(({ uid, summary, description, startDate }) => ({
      ...{ uid, summary, description },
      day: startDate.toString(),
      isAllDay: startDate.isDate,
    })),
  }
}

const calendar = async (query = '') => read((await get<string>(`/v1/changes.ics${query}`)).body)

test('the calendar has one event of a whole day for each pricing code and day of the changes', async () => {
  const { title, events } = await calendar()
  const all = await get<{ changes: TypedChange[]; nextCursor?: string }>(
    '/v1/changes?from=0000-01-01&to=9999-12-31&limit=1000',
  )
  expect([title, all.body.nextCursor]).toEqual(['Rate changes', undefined])
  const days = new Set(all.body.changes.map(({ pricingCode, effectiveDate }) => `${pricingCode}-${effectiveDate}`))
  expect(events.map(({ uid }) => uid.split('@')[0])).toEqual([...days])
  for (const { uid, day, isAllDay } of events) expect([isAllDay, uid.includes(`-${day}@`)]).toEqual([true, true])
})

// Number plates 43.00 and 44.20, 20.42 fee units charged as 343.30 and 352.70; ACT duty $3 and $3.17 for every $100.
test('an event says what changes in words and in dollars, as charged', async () => {
  const { title, events } = await calendar('?from=2026-07-01&to=2026-07-01&pricingCode=AU_VIC')
  expect(title).toBe('Rate changes, Victoria')
  const victoria = events.find(({ uid }) => uid.startsWith('AU_VIC-'))
  expect(victoria?.summary).toMatch(/^Victoria: Motor vehicle duty, Registration fee, .*plates/i)
  const lines = victoria?.description.split('\n') ?? []
  expect(lines.some((line) => /^Number plates?, /.test(line) && line.endsWith(': $43.00 → $44.20'))).toBe(true)
  expect(lines.some((line) => line.startsWith('Registration fee, ') && line.endsWith(': $343.30 → $352.70'))).toBe(true)
  expect(new Set(events.map(({ uid }) => uid.split('-')[0]))).toEqual(new Set(['AU', 'AU_VIC']))
  const act = await calendar('?from=2025-09-01&to=2025-09-01&pricingCode=AU_ACT')
  // The label that the rate set gives its class newTo175.
  expect(act.events[0]?.description).toContain('new vehicle with CO2 up to 175 g/km')
  expect(act.events[0]?.description).toContain(': $3.00 for each $100.00 → $3.17 for each $100.00')
})

test('an event lists fifteen changes at most, each in words and short, and counts the others', async () => {
  const { events } = await calendar()
  const long = events.filter(({ description }) => / more: GET \/v1\/changes has all of them$/.test(description))
  expect(long.length).toBeGreaterThan(0)
  for (const { description } of events) expect(description.split('\n').length).toBeLessThanOrEqual(16)
  const lines = events.flatMap(({ description }) => description.split('\n'))
  expect(lines.filter((line) => line.length > 200)).toEqual([])
  // No names of the rate sets: STAMP_DUTY, fuelType, usedAboveTheLimit, BEV.
  const coded = /\b[A-Z]+_[A-Z_]+\b|\b[a-z][a-z0-9]*[A-Z]\w*|\b(ICE|P?HEV|BEV|FCEV)\b|kind:/
  expect(lines.filter((line) => coded.test(line.replace(/GET \/v1\/changes .*/, '')))).toEqual([])
})

test('an event says when it was last revised, which is not in the future, and each line ends as RFC 5545 says', async () => {
  const { body } = await get<string>('/v1/changes.ics')
  expect(body.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(body.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  const { releases } = (await get<{ releases: { isCurrent: boolean; inForce: { since: string }[] }[] }>('/v1/releases'))
    .body
  const since = new Date(releases.find(({ isCurrent }) => isCurrent)!.inForce.at(-1)!.since)
  const stamp = since.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
  expect(new Set(body.match(/^(DTSTAMP|LAST-MODIFIED):.*$/gm))).toEqual(
    new Set([`DTSTAMP:${stamp}`, `LAST-MODIFIED:${stamp}`]),
  )
  expect((await get<string>('/v1/changes.ics')).body).toBe(body)
})

test('a later release has a higher sequence for the same event, so a program takes over a mended figure', () => {
  const change: TypedChange = {
    ...{ pricingCode: 'AU_VIC', effectiveDate: '2026-07-01', kind: 'component', name: 'PLATES', path: 'rules[0]' },
    ...{ description: 'otherwise: amount', unit: 'cents', from: 43_00, to: 44_20, sources: [] },
  }
  const names = {
    title: 'Rate changes',
    jurisdiction: () => 'Victoria',
    name: () => '',
    component: () => 'Number plates',
  }
  const of = (one: TypedChange, since: string) => calendarOf([one], names, new Date(since))
  const event = (text: string) =>
    new ICAL.Event(new ICAL.Component(ICAL.parse(text) as unknown[]).getFirstSubcomponent('vevent')!)
  const first = event(of(change, '2026-06-01T09:00:00Z'))
  const mended = event(of({ ...change, to: 44_30 }, '2026-06-02T09:00:00Z'))
  expect(mended.uid).toBe(first.uid)
  expect(mended.sequence).toBeGreaterThan(first.sequence)
  expect([first.description, mended.description]).toEqual([
    'Number plates, otherwise: $43.00 → $44.20',
    'Number plates, otherwise: $43.00 → $44.30',
  ])
})

test('a day without a change gives a calendar without an event', async () => {
  expect((await calendar('?from=2025-07-02&to=2025-07-02')).events).toEqual([])
})

test('a calendar program that has this calendar is told so', async () => {
  const { headers } = await get<string>('/v1/changes.ics')
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const again = await get('/v1/changes.ics', { headers: { 'if-none-match': headers.get('etag')! } })
  expect(again.status).toBe(304)
  const other = await get('/v1/changes.ics?pricingCode=AU_NT', { headers: { 'if-none-match': headers.get('etag')! } })
  expect(other.status).toBe(200)
})

test.each([
  ['?to=2026-07-01&from=2026-07-02', 'bad_request', '/query/to'],
  ['?from=tomorrow', 'bad_request', '/query/from'],
  ['?limit=3', 'bad_request', '/query/limit'],
  ['?pricingCode=AU_ZZ', 'INVALID_PRICING_CODE', '/query/pricingCode'],
])('GET /v1/changes.ics%s is refused as %s at %s', async (query, code, path) => {
  const { status, body } = await get<Refusal>(`/v1/changes.ics${query}`)
  expect({ status, code: body.code, path: body.errors?.[0]?.path }).toEqual({ status: 400, code, path })
})

test('without a token there is no calendar', async () => {
  expect((await get<Refusal>('/v1/changes.ics', { as: null })).status).toBe(401)
})
