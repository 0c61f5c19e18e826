import { expect, test } from 'vitest'
import type { Quote } from '../../../rates/engine/answer.ts'
import { contractServer, type Refusal } from './contract-server.ts'
import { anywhere, customerWith, suv } from './requests.ts'

// "GET /v1/concessions", "GET /v1/rules", "Concession", "Rule" and "Supported tax range" of the interface.
const { get, quote } = contractServer()
const JURISDICTIONS = ['AU_ACT', 'AU_NSW', 'AU_NT', 'AU_QLD', 'AU_SA', 'AU_TAS', 'AU_VIC', 'AU_WA']

interface Concessions {
  pricingCode: string
  concessions: { type: string; label: string; description: string }[]
}
interface Rule {
  id: string
  name: string
  description: string
  pricingCode: string
  startDate: string
  endDate: string
  priority: number
  condition: string | null
  verification: {
    mode: string
    componentType: string
    evidence: string
    grades: string[]
    officialSources: Record<string, unknown>[]
  }
}
interface Rules {
  rules: Rule[]
  supportedTaxRange: { start: string; end: string; financialYears: string[] }
}
const rulesOn = async (date: string, pricingCode = 'AU_VIC') =>
  (await get<Rules>(`/v1/rules?pricingCode=${pricingCode}&showroomCode=MEL01&date=${date}`)).body
const refusal = async (path: string) => {
  const { status, body } = await get<Refusal>(path)
  return { status, code: body.code, paths: body.errors?.map((error) => error.path) }
}

test('GET /v1/concessions: Response 200: pricingCode string, concessions array of Concession', async () => {
  for (const pricingCode of JURISDICTIONS) {
    const { status, body } = await get<Concessions>(`/v1/concessions?pricingCode=${pricingCode}&date=2026-08-10`)
    expect([status, body.pricingCode]).toEqual([200, pricingCode])
    expect(body.concessions.length).toBeGreaterThan(0)
    for (const concession of body.concessions) {
      expect(Object.keys(concession)).toEqual(['type', 'label', 'description', 'startDate', 'endDate'])
      expect(Object.values(concession).every((text) => text.length > 0)).toBe(true)
    }
  }
})

test('GET /v1/concessions: Query: pricingCode (required)', async () => {
  expect(await refusal('/v1/concessions')).toEqual({ status: 400, code: 'bad_request', paths: ['/query/pricingCode'] })
  expect(await refusal('/v1/concessions?pricingCode=AU_ZZZ')).toEqual({
    status: 400,
    code: 'INVALID_PRICING_CODE',
    paths: ['/query/pricingCode'],
  })
})

test.each([
  ['/v1/concessions?pricingCode=AU_VIC&dat=2025-01-01', ['/query/dat'], 'did you mean date?'],
  [
    '/v1/rules?pricingCode=AU_VIC&showroomcode=MEL01&date=2026-08-10',
    ['/query/showroomcode'],
    'did you mean showroomCode?',
  ],
  ['/v1/jurisdictions?day=2026-08-10', ['/query/day'], 'they are pricingCode, date'],
  ['/v1/changes?from=2026-07-01&to=2026-07-01&a[b]=1&__proto__=1', ['/query/a[b]', '/query/__proto__'], '(and 1 more)'],
])(
  'a query parameter that the operation does not have is bad_request with its name: %s',
  async (path, paths, words) => {
    expect(await refusal(path)).toEqual({ status: 400, code: 'bad_request', paths })
    expect((await get<Refusal>(path)).body.message).toContain(words)
  },
)

test('an operation without query parameters ignores a query', async () => {
  expect((await get('/spec?a=1')).status).toBe(200)
})

test('The chosen type is sent as customer.concession.type with customer.concession.hasConcession true', async () => {
  for (const pricingCode of JURISDICTIONS) {
    const { body } = await get<Concessions>(`/v1/concessions?pricingCode=${pricingCode}&date=2026-08-10`)
    for (const { type } of body.concessions) {
      const registration = anywhere('2026-08-10')
      await quote(suv({ pricingCode, registration, ...customerWith({ hasConcession: true, type }) }))
    }
  }
})

test('The list changes over time and is fetched: without a date it is that of today', async () => {
  const { headers } = await get('/v1/concessions?pricingCode=AU_VIC')
  expect(headers.get('cache-control')).toBe('private, no-cache')
  expect(headers.get('etag')).not.toBeNull()
  const past = await get<Concessions>('/v1/concessions?pricingCode=AU_VIC&date=2001-01-01')
  expect(past.body.concessions).toEqual([])
})

test('GET /v1/rules: Query, all required: pricingCode, showroomCode, date', async () => {
  expect(await refusal('/v1/rules?showroomCode=MEL01&date=2026-08-10')).toMatchObject({
    code: 'bad_request',
    paths: ['/query/pricingCode'],
  })
  expect(await refusal('/v1/rules?pricingCode=AU_VIC&date=2026-08-10')).toEqual({
    status: 400,
    code: 'INVALID_SHOWROOM_CODE',
    paths: ['/query/showroomCode'],
  })
  expect(await refusal('/v1/rules?pricingCode=AU_VIC&showroomCode=MEL01')).toMatchObject({
    code: 'bad_request',
    paths: ['/query/date'],
  })
  for (const date of ['10-08-2026', '2026-02-29', '2026-8-1', '']) {
    const path = `/v1/rules?pricingCode=AU_VIC&showroomCode=MEL01&date=${date}`
    expect(await refusal(path)).toMatchObject({ code: 'bad_request', paths: ['/query/date'] })
  }
  expect(await refusal('/v1/rules?pricingCode=AU_VIC&showroomCode=MEL99&date=2026-08-10')).toMatchObject({
    status: 403,
    code: 'SHOWROOM_ACCESS_DENIED',
  })
})

test('GET /v1/rules: rules active on that date', async () => {
  for (const pricingCode of JURISDICTIONS) {
    const { rules } = await rulesOn('2026-08-10', pricingCode)
    const general = rules.filter(({ condition }) => condition === null)
    expect(new Set(general.map(({ id }) => id)).size).toBe(general.length)
    for (const rule of rules) {
      expect([rule.id, rule.startDate <= '2026-08-10', rule.endDate >= '2026-08-10']).toEqual([rule.id, true, true])
    }
    expect(rules.map((rule) => rule.pricingCode)).toEqual(expect.arrayContaining([pricingCode, 'AU']))
  }
})

test('every rule of a quote is listed for its day, with its official source', async () => {
  const { rules } = await rulesOn('2026-08-10')
  const answer: Quote = await quote(suv())
  for (const { ruleId } of answer.categories.onRoad) {
    expect(rules.find(({ id }) => id === ruleId)?.verification.officialSources.length).toBeGreaterThan(0)
  }
})

test('Rule: id, name, description, pricingCode, startDate, endDate, priority, verification', async () => {
  const { rules } = await rulesOn('2026-08-10')
  const registration = rules.find(({ verification }) => verification.componentType === 'registration')
  expect(registration).toMatchObject({
    id: 'AU_VIC_REGISTRATION_FY27',
    name: expect.any(String),
    description: expect.any(String),
    pricingCode: 'AU_VIC',
    priority: expect.any(Number),
    verification: { mode: 'statutory' },
  })
})

test('verification.officialSources: array of: label string, url string, authority string, kind string, official boolean', async () => {
  const sources = (await rulesOn('2026-08-10')).rules.flatMap(({ verification }) => verification.officialSources)
  for (const source of sources) {
    expect(source).toEqual({
      label: expect.any(String),
      url: expect.stringMatching(/^https?:\/\//),
      authority: expect.any(String),
      kind: expect.any(String),
      official: expect.any(Boolean),
    })
  }
})

test('Supported tax range: start date, end date, financialYears array of strings of the form <yyyy>-<yyyy>', async () => {
  for (const pricingCode of JURISDICTIONS) {
    const { supportedTaxRange } = await rulesOn('2026-08-10', pricingCode)
    const { start, end, financialYears } = supportedTaxRange
    const first = Number(start.slice(0, 4))
    expect([start, end]).toEqual([`${first}-07-01`, `${first + financialYears.length}-06-30`])
    expect(financialYears).toEqual(financialYears.map((_, index) => `${first + index}-${first + index + 1}`))
  }
})

test('Purpose: bound the dates a client allows: a date outside the range has no rules, and is told the range', async () => {
  const { rules, supportedTaxRange } = await rulesOn('2040-01-01')
  expect(rules).toEqual([])
  expect(supportedTaxRange.financialYears).toContain('2026-2027')
})

test('a lookup that has not changed is not sent again', async () => {
  for (const path of [
    '/v1/concessions?pricingCode=AU_VIC&date=2026-08-10',
    '/v1/rules?pricingCode=AU_VIC&showroomCode=MEL01&date=2026-08-10',
  ]) {
    const first = await get(path)
    const again = await get(path, { headers: { 'if-none-match': first.headers.get('etag')! } })
    expect([again.status, again.body]).toEqual([304, null])
  }
})
