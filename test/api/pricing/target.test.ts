import { expect, test } from 'vitest'
import type { Quote } from '../../../rates/engine/answer.ts'
import type { TargetAnswer } from '../../../rates/engine/target/target.ts'
import { contractServer, type Refusal } from '../contract/contract-server.ts'
import { suv } from '../pricing-server.ts'

const PATH = '/v1/quote/target-drive-away'
const { ask, server, document } = contractServer()

interface Asking {
  as?: string | null
  headers?: Record<string, string>
}

/** Every answer is checked against the served document. */
const post = <T = Refusal>(path: string, body: unknown, asking: Asking = {}) =>
  ask<T>('POST', path, { body, ...asking })

const solve = (body: unknown) => post<TargetAnswer>(PATH, body)

async function refused(body: unknown, asking?: Asking) {
  const { status, body: error } = await post(PATH, body, asking)
  return { status, code: error.code, path: error.errors?.[0]?.path }
}

const vehicle = { bodyType: 'suv', fuelType: 'ICE', condition: 'new', cylinders: 4, co2GPerKm: 150, seats: 5 }
const registration = { startDate: '2026-08-10', termMonths: 12, type: 'new', postcode: '3000' }
const wanted = { driveAway: 50_000_00 }
const target = (change: Record<string, unknown> = {}, request: Record<string, unknown> = {}) =>
  suv({ target: { ...wanted, ...change }, ...request })

test('the target is echoed with its defaults, and the solution says how near it is met', async () => {
  const { status, body } = await solve(target())
  expect(status).toBe(200)
  expect(body.target).toEqual({ driveAway: 50_000_00, adjustLineIndex: 0, increment: 100 })
  const { solution, quote } = body
  expect(solution).toMatchObject({ lineDescription: 'Vehicle', originalValue: 45_000_00 })
  expect(solution.adjustment).toBe(solution.solvedValue - 45_000_00)
  expect(solution.driveAway).toBe(quote.totals.driveAway)
  expect(solution.shortfall).toBe(50_000_00 - solution.driveAway)
  expect(solution.exact).toBe(solution.shortfall === 0)
  expect(solution.solvedValue % 100).toBe(0)
  expect(quote.categories.dutiable[0]?.value).toBe(solution.solvedValue)
})

test('the quote is byte for byte that of POST /v1/quote at the solved value', async () => {
  const lines = [
    { description: 'Vehicle', value: 45_000_00, kind: 'vehicle', colour: 'red' },
    { description: 'Discount', value: -1_000_00, kind: 'discount' },
  ]
  const request = suv({ pricingInputs: { dutiable: lines }, options: { explain: true }, misspelt: 1 })
  const { solution, quote } = (await solve({ ...request, target: { ...wanted, adjustLineIndex: 1, increment: 1 } }))
    .body
  const dutiable = [lines[0], { ...lines[1], value: solution.solvedValue }]
  const token = { authorization: `Bearer ${await server().token()}` }
  const response = await server().post('/v1/quote', { ...request, pricingInputs: { dutiable } }, token)
  expect(JSON.stringify(quote)).toBe(await response.text())
  expect(quote.metadata.warnings).toContainEqual(expect.stringContaining('/misspelt'))
})

test('a misspelt field of the target is named by a warning', async () => {
  const { body } = await solve(target({ incremnt: 1 }))
  expect(body.target.increment).toBe(100)
  expect(body.quote.metadata.warnings).toContainEqual(expect.stringContaining('/target/incremnt'))
})

test('a target in a plain quote is named by a warning: the quote does not use it', async () => {
  const { status, body } = await post<Quote>('/v1/quote', target())
  expect(status).toBe(200)
  const named = body.metadata.assumptions.filter(({ path }) => path === '/target')
  expect(named).toEqual([expect.objectContaining({ kind: 'ignored' })])
})

const badly: [string, unknown, string][] = [
  ['without a target', suv(), '/body/target'],
  ['with a target that is a number', suv({ target: 50_000_00 }), '/body/target'],
  ['with a target that is null', suv({ target: null }), '/body/target'],
  ['without a drive-away', suv({ target: {} }), '/body/target/driveAway'],
  ['for a drive-away as text', target({ driveAway: '5000000' }), '/body/target/driveAway'],
  ['for half a cent', target({ driveAway: 0.5 }), '/body/target/driveAway'],
  ['of a line named by text', target({ adjustLineIndex: 'Vehicle' }), '/body/target/adjustLineIndex'],
  ['with an increment of half a cent', target({ increment: 0.5 }), '/body/target/increment'],
  ['of a request without lines', target({}, { pricingInputs: { dutiable: [] } }), '/body/pricingInputs/dutiable'],
  [
    'of a line above a hundred million dollars',
    target({}, { pricingInputs: { dutiable: [{ description: 'Car', value: 10_000_000_001 }] } }),
    '/body/pricingInputs/dutiable/0/value',
  ],
]
test.each(badly)('a target %s is 400 bad_request', async (_what, body, path) => {
  expect(await refused(body)).toEqual({ status: 400, code: 'bad_request', path })
})

const invalid: [string, unknown, string][] = [
  ['an index past the dutiable lines', target({ adjustLineIndex: 1 }), '/body/target/adjustLineIndex'],
  ['an index below 0', target({ adjustLineIndex: -1 }), '/body/target/adjustLineIndex'],
  ['a drive-away of 0', target({ driveAway: 0 }), '/body/target/driveAway'],
  ['a drive-away above a hundred million dollars', target({ driveAway: 10_000_000_001 }), '/body/target/driveAway'],
  ['an increment of 0', target({ increment: 0 }), '/body/target/increment'],
  ['an increment past whole numbers', target({ increment: 1e300 }), '/body/target/increment'],
  [
    'a request that gives an empty quote',
    target({}, { registration: { ...registration, startDate: '2030-01-01' }, taxDatePolicy: { outOfRange: 'legacy' } }),
    '/body/registration/startDate',
  ],
]
test.each(invalid)('%s is 400 INVALID_TARGET', async (_what, body, path) => {
  expect(await refused(body)).toEqual({ status: 400, code: 'INVALID_TARGET', path })
})

test('the policy prior_year solves past the supported range with the rates of its last day', async () => {
  const past = {
    registration: { ...registration, startDate: '2030-01-01' },
    taxDatePolicy: { outOfRange: 'prior_year' },
  }
  const { quote } = (await solve(target({}, past))).body
  expect(quote.metadata).toMatchObject({ taxFallbackApplied: true, taxEffectiveDate: '2027-06-30' })
})

const low = target({ driveAway: 100_00 })
test('a target below the drive-away with the line at its lowest value is 422 TARGET_NOT_ACHIEVABLE', async () => {
  expect(await refused(low)).toEqual({ status: 422, code: 'TARGET_NOT_ACHIEVABLE', path: '/body/target/driveAway' })
})

const used = { ...vehicle, condition: 'used' }
const usedCars: [string, Record<string, unknown>, string][] = [
  ['without manufactureDate', used, '/body/vehicleGeneric/manufactureDate'],
  ['without lctPreviouslyPaid', { ...used, manufactureDate: '2026-01-15' }, '/body/pricingInputs/lctPreviouslyPaid'],
]
test.each(usedCars)(
  'a used car %s whose solved price is above the LCT threshold is 400 INVALID_VEHICLE_INPUT',
  async (_what, vehicleGeneric, path) => {
    const body = target({ driveAway: 120_000_00 }, { vehicleGeneric })
    expect(await refused(body)).toEqual({ status: 400, code: 'INVALID_VEHICLE_INPUT', path })
    const cheap = await solve(target({ driveAway: 60_000_00 }, { vehicleGeneric }))
    expect(cheap.status).toBe(200)
  },
)

const asQuotes: [string, Record<string, unknown>, string][] = [
  ['without a showroom', { showroomCode: ' ' }, 'INVALID_SHOWROOM_CODE'],
  ['of another showroom', { showroomCode: 'ALB01' }, 'SHOWROOM_ACCESS_DENIED'],
  ['of no jurisdiction', { pricingCode: 'AU' }, 'INVALID_PRICING_CODE'],
  ['bought in a year without rates', { purchaseDate: '2019-01-01' }, 'UNSUPPORTED_FINANCIAL_YEAR'],
  [
    'registered past the rates under the policy error',
    { registration: { ...registration, startDate: '2030-01-01' } },
    'UNSUPPORTED_REGISTRATION_DATE',
  ],
  [
    'transferred where that is not modelled',
    { pricingCode: 'AU_WA', vehicleGeneric: used, registration: { ...registration, type: 'transfer' } },
    'UNSUPPORTED_REGISTRATION_TYPE',
  ],
  ['for a term not offered', { registration: { ...registration, termMonths: 7 } }, 'UNSUPPORTED_REGISTRATION_TERM'],
  [
    'with an unknown concession',
    { customer: { concession: { hasConcession: true, type: 'X' } } },
    'INVALID_CONCESSION',
  ],
  [
    'made after it is registered',
    { vehicleGeneric: { ...vehicle, manufactureDate: '2026-12-01' } },
    'INVALID_VEHICLE_INPUT',
  ],
  ['new and transferred', { registration: { ...registration, type: 'transfer' } }, 'INVALID_VEHICLE_INPUT'],
]
test.each(asQuotes)('a target of a vehicle %s gets the error of its quote', async (_what, change, code) => {
  const request = suv({ vehicleGeneric: vehicle, ...change })
  const { status, body } = await post('/v1/quote', request)
  expect(body.code).toBe(code)
  // An impossible target does not come first.
  expect(await post(PATH, { ...request, target: { driveAway: 0 } })).toMatchObject({ status, body })
})

test('without a credential, with a bad one and for a suspended client a target is refused as a quote is', async () => {
  expect(await refused(target(), { as: null })).toMatchObject({ status: 401, code: 'not-authenticated' })
  const bad = { as: null, headers: { authorization: 'Bearer x.y.z' } }
  expect(await refused(target(), bad)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  expect(await refused(target(), { as: 'suspended' })).toMatchObject({ status: 403, code: 'USER_INACTIVE' })
})

test('the examples of refusals in the document are what the service answers', async () => {
  const { components, paths } = document() as unknown as {
    components: { responses: Record<string, { content: Content }> }
    paths: Record<string, { post: { requestBody: { content: Content } } }>
  }
  const { suv: example } = paths[PATH]!.post.requestBody.content['application/json'].examples
  const asked = { ...(example!.value as Record<string, unknown>) }
  const shown = (response: string) => components.responses[response]?.content['application/json'].examples
  const tooFar = await post(PATH, { ...asked, target: { ...wanted, adjustLineIndex: 2 } })
  expect(tooFar.body).toEqual(shown('BadTargetRequest')?.line?.value)
  const tooLow = await post(PATH, { ...asked, target: { driveAway: 1 } })
  expect(tooLow.body).toMatchObject(shown('NotAchievable')?.low?.value as object)
})

interface Content {
  'application/json': { examples: Record<string, { value: unknown }> }
}
