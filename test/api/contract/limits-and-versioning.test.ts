import { expect, test } from 'vitest'
import type { Quote } from '../../../rates/engine/answer.ts'
import { contractServer } from './contract-server.ts'
import { anywhere, onDay, paying, suv } from './requests.ts'

// "Limits", "Versioning" and the conventions of the interface.
const { ask, document, get, quote, refused } = contractServer()

test('Quotes per batch: 25', async () => {
  const of = (length: number) => Array.from({ length }, () => suv())
  expect((await ask('POST', '/v1/quote/batch', { body: of(25) })).status).toBe(200)
  expect(await refused('/v1/quote/batch', of(26))).toEqual({ status: 400, code: 'bad_request', paths: ['/body'] })
})

test('Every money amount is an integer number of cents', async () => {
  const isMoney = (key: string) => ['value', 'amount', 'exclusive', 'inclusive', 'driveAway', 'overall'].includes(key)
  const amounts: unknown[] = []
  const answer = await quote(suv())
  JSON.stringify(answer, (key, value: unknown) => {
    if (isMoney(key)) amounts.push(value)
    return value
  })
  expect(amounts.length).toBeGreaterThan(20)
  expect(amounts.every(Number.isInteger)).toBe(true)
  expect(await refused('/v1/quote', paying(10_000_000_001))).toMatchObject({ code: 'bad_request' })
  expect((await quote(paying(10_000_000_000))).totals.dutiable).toBe(10_000_000_000)
})

test('Dates are YYYY-MM-DD strings', async () => {
  for (const purchaseDate of ['20260803', '2026-8-3', '03/08/2026', '2026-08-03T00:00:00Z', '2026-02-30', 20260803]) {
    expect(await refused('/v1/quote', suv({ purchaseDate }))).toEqual({
      status: 400,
      code: 'bad_request',
      paths: ['/body/purchaseDate'],
    })
  }
})

test('Paths carry the prefix /v1', () => {
  const open = ['/spec', '/oauth/token', '/oauth/jwks', '/.well-known/oauth-authorization-server', '/.well-known/release-keys']
  const others = Object.keys(document().paths).filter((path) => !open.includes(path))
  expect(others.every((path) => path.startsWith('/v1/'))).toBe(true)
})

test('New optional request fields never change the result of a request that does not send them', async () => {
  const minimal = {
    pricingCode: 'AU_VIC',
    showroomCode: 'MEL01',
    purchaseDate: '2026-08-10',
    pricingInputs: { dutiable: [{ description: 'Vehicle', value: 4_500_000 }] },
    registration: { startDate: '2026-08-10' },
  }
  const said = {
    ...minimal,
    vehicleGeneric: {},
    registration: { startDate: '2026-08-10', termMonths: 12, type: 'new' },
    customer: { customerType: 'consumer', usageType: 'consumer', concession: { hasConcession: false } },
    taxDatePolicy: { outOfRange: 'legacy' },
    options: { explain: false },
  }
  // Of what is not sent, the answer names what it took.
  const price = ({ categories, totals }: Quote) => ({ categories, totals })
  expect(price(await quote(said))).toEqual(price(await quote(minimal)))
})

test('a new rate applies to quotes whose registration.startDate is on or after its effective date', async () => {
  const fee = async (startDate: string) => {
    const registration = anywhere(startDate)
    const answer = await quote(suv({ pricingCode: 'AU_QLD', purchaseDate: startDate, registration }))
    return answer.categories.onRoad.find(({ component }) => component === 'REGISTRATION')
  }
  // Queensland's registration fees of 2025-26 changed on 16 September 2025.
  const [before, after] = [await fee('2025-09-15'), await fee('2025-09-16')]
  expect(after!.value).not.toBe(before!.value)
  expect(after!.startDate).toBe('2025-09-16')
})

test("ruleIds carry the financial year, so a stored quote shows which year's rates priced it", async () => {
  for (const [date, year] of [
    ['2025-12-01', 'FY26'],
    ['2026-12-01', 'FY27'],
  ] as const) {
    const { categories } = await quote(suv(onDay(date)))
    const ids = Object.values(categories).flatMap((lines) => lines.map(({ ruleId }) => ruleId))
    expect(ids.every((id) => id.endsWith(`_${year}`))).toBe(true)
  }
})

test('an unknown query parameter is refused: an answer for another day than the one meant would not say so', async () => {
  const { status, body } = await get('/v1/concessions?pricingCode=AU_VIC&date=2026-08-10&colour=red')
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('/query/colour')])
})
