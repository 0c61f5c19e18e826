import { expect, test } from 'vitest'
import { contractServer, type Refusal } from './contract-server.ts'

// "Notices of rate changes ... naming the affected components, old and new amounts and the effective date" (Events), as
// an operation.
const { get } = contractServer()

interface Change {
  pricingCode: string
  effectiveDate: string
  kind: string
  name: string
  ruleId?: string
  description: string
  old: string | null
  new: string | null
  sources: string[]
}
const changes = async (query: string) =>
  (await get<{ release: string; changes: Change[] }>(`/v1/changes?${query}`)).body

// Number plate fees of 2025-26 and 2026-27: 43.00 and 44.20. TAC charge in the metropolitan zone: 534 and 551.
test('GET /v1/changes names the affected components, old and new amounts and the effective date', async () => {
  const { changes: found } = await changes('from=2026-07-01&to=2026-07-01&pricingCode=AU_VIC')
  const plates = found.find(({ name }) => name === 'PLATES')
  expect(plates).toMatchObject({
    pricingCode: 'AU_VIC',
    effectiveDate: '2026-07-01',
    kind: 'component',
    ruleId: 'AU_VIC_PLATES_FY27',
    old: '$43.00',
    new: '$44.20',
  })
  expect(
    found.find(({ name, description }) => name === 'CTP' && description.includes('passenger: METRO')),
  ).toMatchObject({
    old: '$534',
    new: '$551',
  })
  expect(new Set(found.map(({ pricingCode }) => pricingCode))).toEqual(new Set(['AU', 'AU_VIC']))
})

test('GET /v1/changes gives every jurisdiction without a pricing code, and both days are among them', async () => {
  const { changes: all } = await changes('from=2025-07-01&to=2026-07-01')
  const days = new Set(all.map(({ effectiveDate }) => effectiveDate))
  expect([days.has('2025-07-01'), days.has('2026-07-01')]).toEqual([true, true])
  expect(new Set(all.map(({ pricingCode }) => pricingCode)).size).toBe(9)
  expect((await changes('from=2025-07-02&to=2025-07-02')).changes).toEqual([])
})

// MAIB premiums change on 1 December, ACT duty on 1 September 2025, Queensland's registration on 16 September 2025.
test('GET /v1/changes has the days in mid-year on which a figure changes', async () => {
  const { changes: found } = await changes('from=2025-07-02&to=2026-06-30')
  const days = new Set(found.map(({ pricingCode, effectiveDate }) => `${pricingCode} ${effectiveDate}`))
  for (const day of ['AU_ACT 2025-09-01', 'AU_TAS 2025-12-01', 'AU_QLD 2025-09-16']) expect([...days]).toContain(day)
})

test('GET /v1/changes carries the release that quotes are priced with, and an ETag', async () => {
  const first = await get<{ release: string }>('/v1/changes?from=2026-07-01&to=2026-07-31')
  const rules = await get('/v1/changes?from=2026-07-01&to=2026-07-30')
  expect(first.body.release).toMatch(/^sha256:/)
  expect(first.headers.get('etag')).not.toBe(rules.headers.get('etag'))
})

test.each([
  ['to=2026-07-01', 'bad_request', '/query/from'],
  ['from=2026-07-01&to=tomorrow', 'bad_request', '/query/to'],
  ['from=2026-07-02&to=2026-07-01', 'bad_request', '/query/to'],
  ['from=2026-07-01&to=2026-07-02&pricingCode=AU_ZZ', 'INVALID_PRICING_CODE', '/query/pricingCode'],
])('GET /v1/changes?%s is refused as %s at %s', async (query, code, path) => {
  const { status, body } = await get<Refusal>(`/v1/changes?${query}`)
  expect({ status, code: body.code, path: body.errors?.[0]?.path }).toEqual({ status: 400, code, path })
})
