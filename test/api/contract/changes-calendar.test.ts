import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import type { TypedChange } from '../../../rates/diff/typed-changes.ts'
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
  expect(lines.some((line) => line.startsWith('PLATES, ') && line.endsWith(': $43.00 → $44.20'))).toBe(true)
  expect(lines.some((line) => line.startsWith('REGISTRATION, ') && line.endsWith(': $343.30 → $352.70'))).toBe(true)
  expect(new Set(events.map(({ uid }) => uid.split('-')[0]))).toEqual(new Set(['AU', 'AU_VIC']))
  const act = await calendar('?from=2025-09-01&to=2025-09-01&pricingCode=AU_ACT')
  expect(act.events[0]?.description).toContain(': $3.00 for each $100.00 → $3.17 for each $100.00')
})

test('an event lists thirty changes at most and counts the others', async () => {
  const { events } = await calendar()
  const long = events.filter(({ description }) => / more: GET \/v1\/changes has all of them$/.test(description))
  expect(long.length).toBeGreaterThan(0)
  for (const { description } of events) expect(description.split('\n').length).toBeLessThanOrEqual(31)
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
