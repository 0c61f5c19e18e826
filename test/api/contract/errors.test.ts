import { expect, test } from 'vitest'
import { STATUS_OF_CODE, type ErrorCode } from '../../../api/errors.ts'
import { contractServer, type Refusal } from './contract-server.ts'
import { anywhere, onDay, suv, vehicle, without } from './requests.ts'

// The table of errors of the interface; those of the target endpoint stand with its own tests.
const { ask, document, quote, refused, server } = contractServer()
const { registration } = onDay('2026-08-10')
const refusedQuote = (body: unknown) => refused('/v1/quote', body)

test('Error body: JSON with code string, message string, and, for schema failures, errors array of objects with path string (points at the offending field), message string and errorCode string', async () => {
  const { body } = await ask<Refusal>('POST', '/v1/quote', { body: suv({ purchaseDate: 5, registration: {} }) })
  expect(body).toEqual({
    code: 'bad_request',
    message: expect.stringContaining('/body/'),
    errors: expect.arrayContaining([
      { path: '/body/purchaseDate', message: expect.any(String), errorCode: 'type.openapi.validation' },
      { path: '/body/registration/startDate', message: 'is required', errorCode: 'required.openapi.validation' },
    ]),
  })
})

test('400 bad_request: Request does not match the schema', async () => {
  for (const field of ['pricingCode', 'purchaseDate', 'pricingInputs', 'registration']) {
    expect(await refusedQuote(without(field))).toEqual({ status: 400, code: 'bad_request', paths: [`/body/${field}`] })
  }
})

test('400 INVALID_SHOWROOM_CODE: showroomCode missing or blank', async () => {
  for (const body of [without('showroomCode'), suv({ showroomCode: '  ' })]) {
    expect(await refusedQuote(body)).toMatchObject({ status: 400, code: 'INVALID_SHOWROOM_CODE' })
  }
})

test('400 UNSUPPORTED_FINANCIAL_YEAR: purchaseDate in a financial year that is not priced', async () => {
  const body = suv({ purchaseDate: '2040-07-01' })
  expect(await refusedQuote(body)).toMatchObject({ status: 400, code: 'UNSUPPORTED_FINANCIAL_YEAR' })
})

test('400 UNSUPPORTED_REGISTRATION_DATE: registration.startDate beyond published rates and taxDatePolicy.outOfRange is error', async () => {
  const body = suv({ registration: onDay('2040-07-01').registration, taxDatePolicy: { outOfRange: 'error' } })
  expect(await refusedQuote(body)).toMatchObject({ status: 400, code: 'UNSUPPORTED_REGISTRATION_DATE' })
})

test('400 UNSUPPORTED_REGISTRATION_TYPE: registration.type transfer in a state or date range where its fee is not modelled (modelled for three states within dates; otherwise use new)', async () => {
  const rest = anywhere('2026-08-10')
  const transfer = (pricingCode: string) =>
    suv({ pricingCode, ...vehicle({ condition: 'used' }), registration: { ...rest, type: 'transfer' } })
  for (const pricingCode of ['AU_NSW', 'AU_VIC', 'AU_QLD']) {
    expect((await ask('POST', '/v1/quote', { body: transfer(pricingCode) })).status).toBe(200)
  }
  for (const pricingCode of ['AU_ACT', 'AU_NT', 'AU_SA', 'AU_TAS', 'AU_WA']) {
    expect(await refusedQuote(transfer(pricingCode))).toEqual({
      status: 400,
      code: 'UNSUPPORTED_REGISTRATION_TYPE',
      paths: ['/body/registration/type'],
    })
    const fresh = { ...transfer(pricingCode), registration: { ...rest, type: 'new' } }
    expect((await ask('POST', '/v1/quote', { body: fresh })).status).toBe(200)
  }
})

const impossible: [string, Record<string, unknown>, string][] = [
  ['a manufacture after registration', vehicle({ manufactureDate: '2026-08-11' }), 'manufactureDate'],
  ['a first registration after this one', vehicle({ firstRegisteredDate: '2026-08-11' }), 'firstRegisteredDate'],
  [
    'a first registration before manufacture',
    vehicle({ manufactureDate: '2025-02-01', firstRegisteredDate: '2025-01-31' }),
    'firstRegisteredDate',
  ],
  ['a year after next', vehicle({ year: 2028 }), 'year'],
]
for (const [what, change, field] of impossible) {
  test(`400 INVALID_VEHICLE_INPUT: An impossible vehicle date: ${what}`, async () => {
    const { status, body } = await ask<Refusal>('POST', '/v1/quote', { body: suv(change) })
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([
      400,
      'INVALID_VEHICLE_INPUT',
      `/body/vehicleGeneric/${field}`,
    ])
    expect(body.message).toContain(field)
  })
}

test('400 INVALID_VEHICLE_INPUT: a transfer of a new vehicle', async () => {
  const body = suv({ registration: { ...registration, type: 'transfer' } })
  expect(await refusedQuote(body)).toEqual({
    status: 400,
    code: 'INVALID_VEHICLE_INPUT',
    paths: ['/body/vehicleGeneric/condition'],
  })
})

const used = { condition: 'used', manufactureDate: '2025-09-01', firstRegisteredDate: '2025-10-01' }
const pricingInputs = { dutiable: [{ description: 'Vehicle', value: 12_000_000 }], lctPreviouslyPaid: 0 }

test('400 INVALID_VEHICLE_INPUT: a used car above the LCT threshold missing the dates or lctPreviouslyPaid needed to price LCT. The message names the field', async () => {
  const whole = suv({ ...vehicle(used), pricingInputs })
  expect((await ask('POST', '/v1/quote', { body: whole })).status).toBe(200)
  const undated = { manufactureDate: undefined, firstRegisteredDate: undefined }
  for (const [body, field] of [
    [suv({ ...vehicle(used), pricingInputs: { dutiable: pricingInputs.dutiable } }), 'lctPreviouslyPaid'],
    [suv({ ...vehicle({ ...used, ...undated }), pricingInputs }), 'manufactureDate'],
  ] as const) {
    const { status, body: refusal } = await ask<Refusal>('POST', '/v1/quote', { body })
    expect([status, refusal.code]).toEqual([400, 'INVALID_VEHICLE_INPUT'])
    expect(refusal.message).toContain(field)
    expect(refusal.errors?.[0]?.path).toMatch(new RegExp(`/${field}$`))
  }
})

test('a used car below the LCT threshold needs none of them', async () => {
  const body = suv({ vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', condition: 'used', cylinders: 4 } })
  expect((await ask('POST', '/v1/quote', { body })).status).toBe(200)
})

test('403 SHOWROOM_ACCESS_DENIED: Client not bound to the showroomCode', async () => {
  const body = suv({ showroomCode: 'ALB01' })
  expect(await refusedQuote(body)).toMatchObject({ status: 403, code: 'SHOWROOM_ACCESS_DENIED' })
})

test('403 USER_INACTIVE: Client revoked', async () => {
  const asking = { as: 'suspended' }
  expect(await refused('/v1/quote', suv(), asking)).toMatchObject({ status: 403, code: 'USER_INACTIVE' })
})

test('4xx errors are deterministic: the same request returns the same error', async () => {
  for (const body of [
    suv({ pricingCode: 'x' }),
    suv({ registration: {}, purchaseDate: 1 }),
    suv({ showroomCode: '' }),
  ]) {
    const answers = await Promise.all([1, 2, 3].map(() => ask<Refusal>('POST', '/v1/quote', { body })))
    for (const answer of answers) expect(answer.body).toEqual(answers[0]!.body)
  }
})

test('the checks are made in one order, each before those that come after it', async () => {
  const faults: [string, Record<string, unknown>][] = [
    ['bad_request', { purchaseDate: 'never' }],
    ['INVALID_SHOWROOM_CODE', { showroomCode: '' }],
    ['SHOWROOM_ACCESS_DENIED', { showroomCode: 'ALB01' }],
    ['INVALID_PRICING_CODE', { pricingCode: 'AU_ZZZ' }],
    ['UNSUPPORTED_FINANCIAL_YEAR', { purchaseDate: '2001-01-01' }],
    ['INVALID_VEHICLE_INPUT', vehicle({ year: 2099 })],
    ['UNSUPPORTED_REGISTRATION_DATE', { registration: { ...registration, startDate: '2040-01-01' } }],
    ['INVALID_CONCESSION', { customer: { concession: { hasConcession: true, type: 'x' } } }],
    ['UNSUPPORTED_REGISTRATION_TERM', { registration: { ...registration, termMonths: 99 } }],
  ]
  for (const [index, [code]] of faults.entries()) {
    const change = Object.assign(
      {},
      ...faults
        .slice(index)
        .map(([, each]) => each)
        .reverse(),
    ) as object
    expect(await refusedQuote(suv({ ...change }))).toMatchObject({ code })
  }
})

/** The table of errors, but for the two codes of the target endpoint. */
const TABLE: Record<string, string[]> = {
  '400': [
    'bad_request',
    'INVALID_SHOWROOM_CODE',
    'UNSUPPORTED_FINANCIAL_YEAR',
    'UNSUPPORTED_REGISTRATION_DATE',
    'UNSUPPORTED_REGISTRATION_TYPE',
    'INVALID_VEHICLE_INPUT',
  ],
  '401': ['not-authenticated', 'UNAUTHENTICATED'],
  '403': ['SHOWROOM_ACCESS_DENIED', 'USER_INACTIVE'],
  '500': ['error'],
}

interface Response {
  $ref?: string
  'x-codes'?: string[]
}
interface Described {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  components: { responses: Record<string, Response> }
}

test('every code of the table is documented with its status, and every documented code is answered with the status it stands at', () => {
  const { paths, components } = document() as unknown as Described
  const answers = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ responses }) =>
      Object.entries(responses).map(([status, { $ref }]) => ({ path, status, name: $ref?.split('/').at(-1) ?? '' })),
    ),
  )
  for (const { path, status, name } of answers) {
    const codes = components.responses[name]?.['x-codes'] ?? []
    for (const code of codes) expect([code, STATUS_OF_CODE[code as ErrorCode]]).toEqual([code, Number(status)])
    if (path.startsWith('/v1/quote')) expect(codes).toEqual(expect.arrayContaining(TABLE[status] ?? []))
  }
})

test('500 error: Server fault', async () => {
  const { rates } = server().holder.read()
  const broken = {
    ...rates!.snapshot,
    get jurisdictions(): never {
      throw new Error('a secret of ours')
    },
  }
  server().holder.swap({ rates: { ...rates!, snapshot: broken } })
  const { status, body } = await ask<Refusal>('POST', '/v1/quote', { body: suv() })
  server().holder.swap({ rates })
  expect([status, body.code]).toEqual([500, 'error'])
  expect(JSON.stringify(body)).not.toContain('secret')
  await quote(suv())
})

test.each(['null', '"x"', '1', 'true'])('the body %s is valid JSON, and a JSON object is expected', async (body) => {
  const { status, body: refusal } = await ask<Refusal>('POST', '/v1/quote', { body })
  const { code, message } = refusal
  expect({ status, code, message }).toEqual({
    ...{ status: 400, code: 'bad_request' },
    message: 'The body is not a JSON object or array.',
  })
  expect((await ask<Refusal>('POST', '/v1/quote', { body: `${body}]` })).body.message).toBe('The body is not valid JSON.')
})

test('POST /oauth/token with a body that is not compressed as it says is answered as the document describes', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'br' }
  const { status, body } = await ask<Refusal>('POST', '/oauth/token', { as: null, headers, body: 'zzzz' })
  expect([status, body.code]).toEqual([400, 'bad_request'])
})
