import { expect, test } from 'vitest'
import type { OfferedJurisdiction } from '../../../rates/offered/describe.ts'
import { contractServer, type Refusal } from './contract-server.ts'
import { anywhere, suv } from './requests.ts'

// "No endpoint lists pricing codes, terms, registration types, or which facts matter": GET /v1/jurisdictions does.
const { get, quote } = contractServer()

interface Jurisdictions {
  release: string
  jurisdictions: OfferedJurisdiction[]
}
const jurisdictions = async (query = '') => (await get<Jurisdictions>(`/v1/jurisdictions${query}`)).body
const yearOf = async (pricingCode: string) =>
  (await jurisdictions(`?pricingCode=${pricingCode}&date=2026-08-10`)).jurisdictions[0]!.years[0]!
const factOf = async (pricingCode: string, path: string) =>
  (await yearOf(pricingCode)).facts.find((fact) => fact.path === path)

test('GET /v1/jurisdictions lists every pricing code with its name, time zone and range', async () => {
  const { release, jurisdictions: all } = await jurisdictions()
  expect(all.map(({ pricingCode, name }) => `${pricingCode} ${name}`)).toEqual([
    'AU_ACT Australian Capital Territory',
    'AU_NSW New South Wales',
    'AU_NT Northern Territory',
    'AU_QLD Queensland',
    'AU_SA South Australia',
    'AU_TAS Tasmania',
    'AU_VIC Victoria',
    'AU_WA Western Australia',
  ])
  const answer = await quote(suv())
  expect(release).toBe(answer.metadata.release)
  for (const { timeZone, years, supportedTaxRange } of all) {
    expect(timeZone).toMatch(/^Australia\//)
    expect(years.map(({ financialYear }) => financialYear)).toEqual(supportedTaxRange.financialYears)
  }
})

test('registration types, terms and concessions of a year, with their dates', async () => {
  const { terms, registrationTypes, concessions } = await yearOf('AU_VIC')
  expect(terms).toEqual([3, 6, 12])
  expect(registrationTypes).toEqual([
    { type: 'new', startDate: '2026-07-01', endDate: '2027-06-30' },
    { type: 'transfer', startDate: '2026-07-01', endDate: '2027-06-30' },
  ])
  const { body } = await get<{ concessions: { type: string }[] }>('/v1/concessions?pricingCode=AU_VIC&date=2026-08-10')
  expect(concessions.map(({ type }) => type)).toEqual(expect.arrayContaining(body.concessions.map(({ type }) => type)))
})

// The warnings of the contract: "ICE vehicle without cylinders: duty assumes 1-4 cylinders", "Missing tareKg in a state that
// needs licence fee units: registration not priced", "Missing postcode for TAC risk zone: default METRO zone assumed".
test('for each fact, the components that depend on it and what happens without it', async () => {
  expect(await factOf('AU_QLD', '/vehicleGeneric/cylinders')).toMatchObject({
    components: expect.arrayContaining(['STAMP_DUTY']),
    without: expect.arrayContaining([expect.objectContaining({ outcome: 'assumed', value: 4 })]),
  })
  expect(await factOf('AU_WA', '/vehicleGeneric/tareKg')).toMatchObject({
    without: expect.arrayContaining([
      expect.objectContaining({ outcome: 'unpriced', components: expect.arrayContaining(['REGISTRATION']) }),
    ]),
  })
  expect(await factOf('AU_VIC', '/registration/postcode')).toMatchObject({
    without: expect.arrayContaining([
      expect.objectContaining({ outcome: 'assumed', components: expect.arrayContaining(['CTP']) }),
    ]),
  })
})

test('a fact that is listed as unpriced without it, and no other, makes the quote of that fact incomplete', async () => {
  const registration = anywhere('2026-08-10')
  const { metadata } = await quote(suv({ pricingCode: 'AU_WA', showroomCode: 'PER01', registration }))
  expect(metadata.unpriced).toContainEqual(expect.objectContaining({ path: '/vehicleGeneric/tareKg' }))
})

test('for each kind of vehicle, whether a quote is complete and on what evidence', async () => {
  const { coverage } = await yearOf('AU_VIC')
  const cars = coverage
    .filter(({ registrationType, condition }) => registrationType === 'new' && condition === 'new')
    .flatMap(({ vehicles }) => vehicles)
    .find(
      ({ bodyTypes, fuelTypes, terms }) => bodyTypes.includes('suv') && fuelTypes.includes('ICE') && terms.includes(12),
    )
  // Not above 4.5 t, and not as a taxi.
  expect(cars).toMatchObject({ complete: 'sometimes', unpriced: ['CTP', 'INSURANCE_DUTY', 'REGISTRATION'] })
  expect(cars!.evidence.map(({ component }) => component)).toEqual(expect.arrayContaining(['STAMP_DUTY', 'CTP']))
})

test('a date outside the published years has no year, and an answer that has not changed is not sent again', async () => {
  const [one] = (await jurisdictions('?pricingCode=AU_VIC&date=2040-01-01')).jurisdictions
  expect(one?.years).toEqual([])
  const first = await get('/v1/jurisdictions?pricingCode=AU_VIC')
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  const again = await get('/v1/jurisdictions?pricingCode=AU_VIC', {
    headers: { 'if-none-match': first.headers.get('etag')! },
  })
  expect([again.status, again.body]).toEqual([304, null])
})

test.each([
  ['pricingCode=AU_ZZ', 'INVALID_PRICING_CODE', '/query/pricingCode'],
  ['pricingCode=AU', 'INVALID_PRICING_CODE', '/query/pricingCode'],
  ['date=tomorrow', 'bad_request', '/query/date'],
])('GET /v1/jurisdictions?%s is refused as %s at %s', async (query, code, path) => {
  const { status, body } = await get<Refusal>(`/v1/jurisdictions?${query}`)
  expect({ status, code: body.code, path: body.errors?.[0]?.path }).toEqual({ status: 400, code, path })
})

test('a client without the grant, a suspended one and one without a token are refused as at its neighbours', async () => {
  const refusals = [
    await get<Refusal>('/v1/jurisdictions', { as: 'uploader' }),
    await get<Refusal>('/v1/jurisdictions', { as: 'suspended' }),
    await get<Refusal>('/v1/jurisdictions', { as: null }),
  ]
  expect(refusals.map(({ body }) => body.code)).toEqual(['INSUFFICIENT_SCOPE', 'USER_INACTIVE', 'not-authenticated'])
})
