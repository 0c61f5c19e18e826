import { describe, expect, test } from 'vitest'
import { contractServer } from './contract-server.ts'
import { anywhere, customerWith, inNewSouthWales, inQueensland, inWestern, suv, vehicle } from './requests.ts'

// Requests that were priced wrongly, or priced although they cannot be: each sentence is one of the interface's.
const { ask, get, quote, refused } = contractServer()
const PRIOR_YEAR = { taxDatePolicy: { outOfRange: 'prior_year' } }

const lines = (...dutiable: { value: number; kind?: string }[]) => ({
  pricingInputs: { dutiable: dutiable.map((line, at) => ({ description: `line ${at}`, ...line })) },
})

describe('prior_year substitutes the rates and not the age of the vehicle', () => {
  const used = (startDate: string, manufactureDate: string, change: object = {}) =>
    suv({
      ...vehicle({ condition: 'used', manufactureDate, previouslyRegistered: true, fuelConsumptionLPer100km: 9 }),
      pricingInputs: { dutiable: [{ description: 'Vehicle', value: 12_000_000 }], lctPreviouslyPaid: 0 },
      registration: { ...anywhere(startDate), type: 'transfer', postcode: '3000' },
      ...change,
    })

  test('a car that is over two years old on the day asked for bears no luxury car tax', async () => {
    const { rules } = await get<{ supportedTaxRange: { end: string } }>(
      '/v1/rules?pricingCode=AU_VIC&showroomCode=MEL01&date=2026-08-10',
    ).then(({ body }) => ({ rules: body.supportedTaxRange }))
    const past = Number(rules.end.slice(0, 4))
    const inside = await quote(used('2026-07-02', '2024-06-30'))
    const beyond = await quote(used(`${past}-07-02`, `${past - 2}-06-30`, PRIOR_YEAR))
    const taxed = await quote(used(`${past}-07-02`, `${past - 2}-07-02`, PRIOR_YEAR))
    const tax = ({ categories }: typeof inside) =>
      categories.onRoad.some(({ component }) => component === 'LUXURY_CAR_TAX')
    expect([inside, beyond, taxed].map(tax)).toEqual([false, false, true])
  })
})

// Duties Act 2008 (WA): duty is on the list price, which no discount lowers; Stamp Duties Act 1923 (SA) likewise.
describe('a negative line without a kind is a discount; any other line is part of the price', () => {
  test.each([
    ['AU_WA', inWestern],
    ['AU_SA', (facts: object) => ({ ...inWestern(facts as never), pricingCode: 'AU_SA', showroomCode: 'ADL01' })],
  ])('%s', async (_code, inState) => {
    const facts = { cylinders: 4, tareKg: 1600 }
    const dutyOf = async (change: object) => {
      const { categories } = await quote({ ...inState(facts as never), ...change })
      return categories.onRoad.find(({ component }) => component === 'STAMP_DUTY')?.value
    }
    const plain = await dutyOf(lines({ value: 5_000_000 }, { value: -500_000 }))
    expect(plain).toBe(
      await dutyOf(lines({ value: 5_000_000, kind: 'vehicle' }, { value: -500_000, kind: 'discount' })),
    )
    expect(plain).toBe(await dutyOf(lines({ value: 5_000_000 })))
    expect(await dutyOf(lines({ value: 4_500_000 }, { value: 500_000 }))).toBe(plain)
  })
})

test('a positive discount is bad_request with its path', async () => {
  const body = suv(lines({ value: 5_000_000 }, { value: 1, kind: 'discount' }))
  const paths = ['/body/pricingInputs/dutiable/1/value']
  expect(await refused('/v1/quote', body)).toEqual({ status: 400, code: 'bad_request', paths })
  const additional = [{ description: 'line', value: 1, kind: 'discount' }]
  const beside = suv({ pricingInputs: { dutiable: [{ description: 'Vehicle', value: 1 }], additional } })
  expect((await refused('/v1/quote', beside)).paths).toEqual(['/body/pricingInputs/additional/0/value'])
})

test('dutiable lines that sum to less than 0 are bad_request with the path', async () => {
  const body = suv(lines({ value: 100_000 }, { value: -500_000 }))
  const paths = ['/body/pricingInputs/dutiable']
  expect(await refused('/v1/quote', body)).toEqual({ status: 400, code: 'bad_request', paths })
  expect((await quote(suv(lines({ value: 500_000 }, { value: -500_000 })))).totals.dutiable).toBe(0)
})

test('additional lines that take off more than the price are bad_request with the path', async () => {
  const sending = (value: number, off: number) =>
    suv({
      pricingInputs: {
        dutiable: [{ description: 'Vehicle', value }],
        additional: [{ description: 'Cash back', value: off }],
      },
    })
  const paths = ['/body/pricingInputs/additional']
  const refusal = await refused('/v1/quote', sending(100_000, -100_001))
  expect(refusal).toEqual({ status: 400, code: 'bad_request', paths })
  expect((await quote(sending(100_000, -100_000))).totals).toMatchObject({ dutiable: 100_000, additional: -100_000 })
})

test('a price that is solved for leaves room for what the additional lines take off', async () => {
  const pricingInputs = {
    dutiable: [{ description: 'Vehicle', value: 4_500_000 }],
    additional: [{ description: 'Cash back', value: -5_000_000 }],
  }
  const solving = (driveAway: number) =>
    ask<{ solution: { solvedValue: number }; quote: { totals: { driveAway: number } }; code?: string }>(
      'POST',
      '/v1/quote/target-drive-away',
      { body: suv({ pricingInputs, target: { driveAway } }) },
    )
  const { body } = await solving(1_000_000)
  expect(body.solution.solvedValue).toBeGreaterThan(5_000_000)
  expect(await solving(1)).toMatchObject({ status: 422, body: { code: 'TARGET_NOT_ACHIEVABLE' } })
})

test('a discount line that is solved for stays a discount', async () => {
  const body = suv({
    ...lines({ value: 3_000_000 }, { value: 0, kind: 'discount' }),
    target: { driveAway: 9_000_000, adjustLineIndex: 1 },
  })
  const { body: answer } = await ask<{ solution: { solvedValue: number; exact: boolean } }>(
    'POST',
    '/v1/quote/target-drive-away',
    { body },
  )
  expect(answer.solution).toMatchObject({ solvedValue: 0, exact: false })
})

describe('an impossible vehicle is refused, naming the field', () => {
  test.each([
    ['manufactureDate', 'a new vehicle made more than ten years before', { manufactureDate: '2016-08-09' }],
    ['firstRegisteredDate', 'a new vehicle registered over two years before', { firstRegisteredDate: '2024-08-09' }],
    ['manufactureDate', 'made before 1885', { condition: 'used', manufactureDate: '1884-12-31' }],
    ['year', 'of the year 0', { year: 0 }],
    ['year', 'a year long after it was made', { condition: 'used', year: 2024, manufactureDate: '2020-01-31' }],
    ['year', 'a year long before it was made', { condition: 'used', year: 2018, manufactureDate: '2020-01-31' }],
    [
      'year',
      'a year after its first registration',
      { condition: 'used', year: 2024, firstRegisteredDate: '2020-02-01' },
    ],
    ['year', 'a new vehicle of a year long ago', { year: 2015 }],
    ['cylinders', 'an engine without cylinders or rotors', { cylinders: 0 }],
    ['cylinders', 'a hybrid without cylinders or rotors', { fuelType: 'HEV', cylinders: 0 }],
    ['co2GPerKm', 'an engine that emits nothing', { co2GPerKm: 0 }],
    ['fuelConsumptionLPer100km', 'an engine that uses nothing', { fuelConsumptionLPer100km: 0 }],
    [
      'previouslyRegistered',
      'never registered, and registered last week',
      { previouslyRegistered: false, firstRegisteredDate: '2026-08-03' },
    ],
    ['gvmKg', 'laden lighter than empty', { tareKg: 1600, gvmKg: 1599 }],
    ['gvmKg', 'laden lighter than ready for the road', { kerbMassKg: 1600, gvmKg: 1599 }],
    ['kerbMassKg', 'ready for the road lighter than empty', { tareKg: 1600, kerbMassKg: 1599 }],
  ])('%s: %s', async (field, _what, facts) => {
    const { status, code, paths } = await refused('/v1/quote', suv(vehicle(facts)))
    expect([status, code, paths]).toEqual([400, 'INVALID_VEHICLE_INPUT', [`/body/vehicleGeneric/${field}`]])
  })

  test.each([
    ['made exactly ten years before', { manufactureDate: '2016-08-10' }],
    ['registered exactly two years before', { firstRegisteredDate: '2024-08-10', manufactureDate: '2024-08-01' }],
    ['the next model year', { year: 2027 }],
    ['a rotary engine', { cylinders: 0, rotors: 2 }],
    ['an electric vehicle without cylinders', { fuelType: 'BEV', cylinders: 0 }],
    ['an electric vehicle that emits and uses nothing', { fuelType: 'BEV', co2GPerKm: 0, fuelConsumptionLPer100km: 0 }],
    ['registered for the first time', { previouslyRegistered: false, firstRegisteredDate: '2026-08-10' }],
    ['equal masses', { tareKg: 1600, kerbMassKg: 1600, gvmKg: 1600 }],
  ])('not refused: %s', async (_what, facts) => {
    await quote(suv(vehicle(facts)))
  })

  test('two different lctPreviouslyPaid', async () => {
    const pricingInputs = { dutiable: [{ description: 'Vehicle', value: 4_500_000 }], lctPreviouslyPaid: 1 }
    const paths = ['/body/pricingInputs/lctPreviouslyPaid']
    expect((await refused('/v1/quote', suv({ pricingInputs, lctPreviouslyPaid: 2 }))).paths).toEqual(paths)
    await quote(suv({ pricingInputs, lctPreviouslyPaid: 1 }))
  })
})

test('a concession without effect is reported: an assumption of kind ignored names the components considered', async () => {
  const claiming = (type: string) => customerWith({ hasConcession: true, type })
  const facts = { cylinders: 4, tareKg: 1600 }
  for (const body of [
    inQueensland(facts, claiming('PRIMARY_PRODUCER')),
    inNewSouthWales(facts, claiming('DECEASED_ESTATE')),
  ]) {
    const { metadata } = await quote(body)
    const ignored = metadata.assumptions.filter(({ path }) => path === '/customer/concession/type')
    expect(ignored).toEqual([
      expect.objectContaining({ kind: 'ignored', reason: expect.stringMatching(/considered: [A-Z]/) as string }),
    ])
  }
  const { metadata } = await quote(suv(claiming('ELIGIBLE_BENEFICIARY')))
  expect(metadata.assumptions.filter(({ path }) => path === '/customer/concession/type')).toEqual([])
})

test('each concession of the list has the dates on which it may be claimed', async () => {
  const { body } = await get<{ concessions: { startDate: string; endDate: string }[] }>(
    '/v1/concessions?pricingCode=AU_NSW&date=2026-08-10',
  )
  for (const { startDate, endDate } of body.concessions)
    expect(startDate <= '2026-08-10' && '2026-08-10' <= endDate).toBe(true)
})

test('explain is in cents: the charge before rounding and what it is rounded to', async () => {
  const { categories } = await quote(suv({ options: { explain: true } }))
  const duty = categories.onRoad.find(({ component }) => component === 'STAMP_DUTY')
  // 225 units of $200 at $8.40.
  expect(duty?.explain).toMatchObject({ unroundedCents: '189000' })
  expect(JSON.stringify(categories)).not.toMatch(/"unrounded":|"to":/)
})

describe('edges', () => {
  const solve = (target: object) => ask('POST', '/v1/quote/target-drive-away', { body: suv({ target }) })

  test('an increment beyond any price is INVALID_TARGET, and the message says what it may be', async () => {
    const { status, body } = await solve({ driveAway: 5_000_000, increment: 1e17 })
    expect([status, body]).toMatchObject([400, { code: 'INVALID_TARGET' }])
    expect((body as { message: string }).message).toContain('1 to 10000000000 cents')
  })

  test('a year of one figure has a financial year of four', async () => {
    const { metadata } = await quote(
      suv({ registration: { startDate: '0001-01-01' }, taxDatePolicy: undefined, vehicleGeneric: {} }),
    )
    expect(metadata.financialYear).toBe('0000-0001')
  })
})
