import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Quote } from '../../../rates/engine/answer.ts'
import { bearer, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'
import { dutyOn45000, victorianRates } from '../victorian-rates.ts'

let server: PricingServer
let auth: { authorization: string }
beforeAll(async () => {
  server = await startPricingServer(victorianRates().snapshot)
  auth = bearer(await server.token())
})
afterAll(() => server.close())

async function post<T = { code: string; errors?: { path: string }[] }>(path: string, body: unknown) {
  const response = await server.post(path, body, auth)
  return { status: response.status, body: (await response.json()) as T }
}
const get = async (path: string) => {
  const response = await server.get(path, auth)
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}
const dutyOf = (quote: Quote) => quote.categories.onRoad.find((line) => line.component === 'STAMP_DUTY')?.value

test('a quote has the duty of the act, its rule, and the release that priced it', async () => {
  const { status, body } = await post<Quote>('/v1/quote', suv())
  expect(status).toBe(200)
  expect(dutyOf(body)).toBe(dutyOn45000(8.4))
  expect(body.categories.onRoad.map((line) => line.ruleId)).toContain('AU_VIC_STAMP_DUTY_FY27')
  expect(body.metadata.release).toBe(server.holder.read().rates?.snapshot.release)
  const { dutiable, onRoad, additional, driveAway } = body.totals
  expect(dutiable + onRoad + additional).toBe(driveAway)
})

const registration = { startDate: '2026-08-10', termMonths: 12, type: 'new', postcode: '3000' }
const vehicle = { bodyType: 'suv', fuelType: 'ICE', condition: 'new', cylinders: 4, co2GPerKm: 150, seats: 5 }
const faults: [string, Record<string, unknown>, string, string][] = [
  ['of an unknown jurisdiction', { pricingCode: 'AU_XYZ' }, 'INVALID_PRICING_CODE', '/body/pricingCode'],
  ['of the federal set', { pricingCode: 'AU' }, 'INVALID_PRICING_CODE', '/body/pricingCode'],
  ['of a name that objects have', { pricingCode: 'constructor' }, 'INVALID_PRICING_CODE', '/body/pricingCode'],
  [
    'bought in a year without rates',
    { purchaseDate: '2019-01-01' },
    'UNSUPPORTED_FINANCIAL_YEAR',
    '/body/purchaseDate',
  ],
  [
    'registered past the rates under the policy error',
    { registration: { ...registration, startDate: '2030-01-01' } },
    'UNSUPPORTED_REGISTRATION_DATE',
    '/body/registration/startDate',
  ],
  [
    'for a term that is not offered',
    { registration: { ...registration, termMonths: 7 } },
    'UNSUPPORTED_REGISTRATION_TERM',
    '/body/registration/termMonths',
  ],
  [
    'that transfers a new vehicle',
    { registration: { ...registration, type: 'transfer' } },
    'INVALID_VEHICLE_INPUT',
    '/body/vehicleGeneric/condition',
  ],
  [
    'with a concession that is not there',
    { customer: { concession: { hasConcession: true, type: 'NO_SUCH' } } },
    'INVALID_CONCESSION',
    '/body/customer/concession/type',
  ],
]
for (const [what, change, code, path] of faults) {
  test(`a quote ${what} is 400 ${code} at ${path}`, async () => {
    const { status, body } = await post('/v1/quote', suv({ vehicleGeneric: vehicle, ...change }))
    expect({ status, code: body.code, paths: body.errors?.map((error) => error.path) }).toEqual({
      status: 400,
      code,
      paths: [path],
    })
  })
}

test('unknown fields change no figure, and a warning names each', async () => {
  const plain = await post<Quote>('/v1/quote', suv())
  const dutiable = [{ description: 'Vehicle', value: 4500000, colour: 'red' }]
  const odd = suv({ pricingInputs: { dutiable }, vehicleGeneric: { ...vehicle, co2: 1 }, 'a/b': 1 })
  const { status, body } = await post<Quote>('/v1/quote', odd)
  expect(status).toBe(200)
  expect(body.totals).toEqual(plain.body.totals)
  for (const field of ['/a~1b', '/pricingInputs/dutiable/0/colour', '/vehicleGeneric/co2']) {
    expect(body.metadata.warnings).toContainEqual(expect.stringContaining(field))
  }
  expect(plain.body.metadata.warnings).not.toContainEqual(expect.stringContaining('/vehicleGeneric/co2'))
})

test('every field that the contract names is known to the engine', async () => {
  const { components } = (await (await server.get('/spec')).json()) as {
    components: { schemas: Record<string, Schema> }
  }
  const { QuoteRequest } = components.schemas
  const { body } = await post<Quote>(
    '/v1/quote',
    suv(sampleOf(QuoteRequest!, components.schemas) as Record<string, unknown>),
  )
  expect(body.metadata.warnings.filter((warning) => warning.includes('not a field'))).toEqual([])
})

test('hundreds of unknown fields are refused: their warnings would be an answer of their own', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 1]))
  expect(await post('/v1/quote', suv(many))).toMatchObject({
    status: 400,
    body: { code: 'bad_request', errors: [{ path: '/body', errorCode: 'maxProperties.openapi.validation' }] },
  })
})

test('a batch gives the quotes in order, each what it is alone', async () => {
  const other = suv({ pricingInputs: { dutiable: [{ description: 'Vehicle', value: 3000000 }] } })
  const alone = await Promise.all([suv(), other].map((body) => post<Quote>('/v1/quote', body)))
  const batch = await post<Quote[]>('/v1/quote/batch', [suv(), other])
  expect(batch).toEqual({ status: 200, body: alone.map(({ body }) => body) })
})

test('a batch is refused with the error of its first failing item, which the path names', async () => {
  const items = [suv(), suv({ pricingCode: 'AU_XYZ' }), suv({ showroomCode: 'PER01' })]
  expect(await post('/v1/quote/batch', items)).toMatchObject({
    status: 400,
    body: { code: 'INVALID_PRICING_CODE', errors: [{ path: '/body/1/pricingCode' }] },
  })
  expect(await post('/v1/quote/batch', [suv(), suv({ showroomCode: 'PER01' })])).toMatchObject({
    status: 403,
    body: { code: 'SHOWROOM_ACCESS_DENIED', errors: [{ path: '/body/1/showroomCode' }] },
  })
})

test('the schema of a whole batch is checked before its first item is priced', async () => {
  const { body } = await post('/v1/quote/batch', [suv({ pricingCode: 'AU_XYZ' }), suv({ purchaseDate: 'x' })])
  expect(body).toMatchObject({ code: 'bad_request', errors: [{ path: '/body/1/purchaseDate' }] })
})

test('a batch of 25 is priced; of 26 and of none it is bad_request', async () => {
  const of = (length: number) => Array.from({ length }, () => suv())
  const codes = await Promise.all([25, 26, 0].map(async (count) => (await post('/v1/quote/batch', of(count))).status))
  expect(codes).toEqual([200, 400, 400])
})

test('the rules of a day are listed with their sources and the supported range', async () => {
  const { status, body } = await get('/v1/rules?pricingCode=AU_VIC&showroomCode=MEL01&date=2026-08-10')
  expect(status).toBe(200)
  const rules = body.rules as {
    id: string
    pricingCode: string
    condition: string | null
    verification: { officialSources: object[] }
  }[]
  expect(rules.map((rule) => rule.id)).toContain('AU_VIC_STAMP_DUTY_FY27')
  expect(rules.find((rule) => rule.id === 'AU_LUXURY_CAR_TAX_FY27')?.pricingCode).toBe('AU')
  // Several rules of one component have one id: of those without a condition the winner alone is listed.
  const always = rules.filter(({ condition }) => condition === null)
  expect(always.length).toBeGreaterThan(0)
  expect(new Set(always.map((rule) => rule.id)).size).toBe(always.length)
  expect(rules[0]?.verification.officialSources[0]).toMatchObject({
    url: expect.stringMatching(/^https?:/),
    official: expect.any(Boolean),
  })
  expect(body.supportedTaxRange).toEqual({ start: '2026-07-01', end: '2027-06-30', financialYears: ['2026-2027'] })
})

test('a day outside the range has no rules, and is told the range', async () => {
  const { status, body } = await get('/v1/rules?pricingCode=AU_VIC&showroomCode=MEL01&date=2031-01-01')
  expect({ status, body }).toMatchObject({ status: 200, body: { rules: [], supportedTaxRange: { end: '2027-06-30' } } })
})

const queries: [string, number, string][] = [
  ['/v1/rules?pricingCode=AU_VIC&date=2026-08-10', 400, 'INVALID_SHOWROOM_CODE'],
  ['/v1/rules?pricingCode=AU_VIC&showroomCode=PER01&date=2026-08-10', 403, 'SHOWROOM_ACCESS_DENIED'],
  ['/v1/rules?pricingCode=AU_XYZ&showroomCode=MEL01&date=2026-08-10', 400, 'INVALID_PRICING_CODE'],
  ['/v1/rules?pricingCode=AU_VIC&showroomCode=MEL01', 400, 'bad_request'],
  ['/v1/rules?pricingCode=AU_VIC&showroomCode=MEL01&date=today', 400, 'bad_request'],
  ['/v1/concessions', 400, 'bad_request'],
  ['/v1/concessions?pricingCode=AU', 400, 'INVALID_PRICING_CODE'],
  ['/v1/concessions?pricingCode=AU_VIC&pricingCode=AU_NSW', 400, 'bad_request'],
]
for (const [path, status, code] of queries) {
  test(`GET ${path} is ${status} ${code}`, async () => {
    expect(await get(path)).toMatchObject({ status, body: { code } })
  })
}

test('the concessions of a day are listed, and a quote takes each of them by its type', async () => {
  const { body, headers } = await get('/v1/concessions?pricingCode=AU_VIC&date=2026-08-10')
  const types = (body.concessions as { type: string }[]).map(({ type }) => type)
  expect(types.length).toBeGreaterThan(0)
  for (const type of types) {
    const customer = { concession: { hasConcession: true, type } }
    expect((await post('/v1/quote', suv({ customer }))).status).toBe(200)
  }
  const again = await server.get('/v1/concessions?pricingCode=AU_VIC&date=2026-08-10', {
    ...auth,
    'if-none-match': headers.get('etag') ?? '',
  })
  expect(again.status).toBe(304)
})

test('rates are swapped thousands of times under load: no request fails, and no answer mixes releases', async () => {
  const other = await startPricingServer()
  const token = bearer(await other.token())
  const releases = [victorianRates('8.40'), victorianRates('9.40')]
  const dutyOfRelease = new Map([
    [releases[0]!.snapshot.release, dutyOn45000(8.4)],
    [releases[1]!.snapshot.release, dutyOn45000(9.4)],
  ])
  let swaps = 0
  const swap = () => other.holder.swap({ rates: releases[swaps++ % 2]! })
  swap()
  const timer = setInterval(() => swap(), 1)
  const seen = new Set<string>()
  const ask = async () => {
    for (let count = 0; count < 40; count += 1) {
      const response = await other.post('/v1/quote/batch', [suv(), suv(), suv()], token)
      expect(response.status).toBe(200)
      const quotes = (await response.json()) as Quote[]
      const answered = new Set(quotes.map((quote) => quote.metadata.release))
      expect(answered.size).toBe(1)
      for (const quote of quotes) expect(dutyOf(quote)).toBe(dutyOfRelease.get(quote.metadata.release))
      for (const release of answered) seen.add(release)
    }
  }
  await Promise.all(Array.from({ length: 8 }, ask))
  clearInterval(timer)
  expect([seen.size, swaps > 20]).toEqual([2, true])
  await other.close()
})

interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  enum?: unknown[]
  format?: string
}

/** A value with every field of a schema. */
function sampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  if (schema.$ref) return sampleOf(schemas[schema.$ref.split('/').at(-1)!]!, schemas)
  if (schema.properties) {
    const fields = Object.entries(schema.properties).filter(([name]) => !FIXED.includes(name))
    return Object.fromEntries([...fields.map(([name, field]) => [name, sampleOf(field, schemas)]), ...fixed(schema)])
  }
  if (schema.items) return [sampleOf(schema.items, schemas)]
  if (schema.enum) return schema.enum[0]
  if (schema.format === 'date') return '2026-08-10'
  return { string: 'x', boolean: false, integer: 1, number: 1 }[schema.type ?? 'string']
}

/** Fields whose value is not free: what must be offered or be in step with another. */
const FIXED = ['pricingCode', 'showroomCode', 'termMonths', 'postcode', 'year', 'asKnownAt']
function fixed({ properties = {} }: Schema): [string, unknown][] {
  const values: Record<string, unknown> = {
    pricingCode: 'AU_VIC',
    showroomCode: 'MEL01',
    termMonths: 12,
    postcode: '3000',
    year: 2026,
    // The server of this test keeps no earlier release; each release can be named while it is in force.
    asKnownAt: server.holder.read().rates?.snapshot.release,
  }
  return Object.keys(properties)
    .filter((name) => FIXED.includes(name))
    .map((name) => [name, values[name]])
}
