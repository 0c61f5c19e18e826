import { expect, test } from 'vitest'
import type { QuoteRequest } from '../../../rates/engine/request.ts'
import { charging, priced, request, rule, set } from './small-set.ts'

const spec = set({
  rules: [rule({ cases: [{ charge: { flat: '10' } }] })],
  offers: {
    terms: [3, 12],
    registrationTypes: [{ type: 'new' }, { type: 'transfer', endDate: '2026-12-31' }],
  },
  concessions: [
    {
      type: 'CARD',
      label: 'Card',
      description: 'A card.',
      endDate: '2026-12-31',
      evidence: 'official',
      sources: ['act'],
      adjustments: [{ component: 'DUTY', percentOff: '50' }],
    },
  ],
})
const fault = (code: string, path: string, message = /./) =>
  expect.objectContaining({ code, path, message: expect.stringMatching(message) as string })
const claim = (type: string, hasConcession = true) => ({ customer: { concession: { hasConcession, type } } })

const notPriced = fault('UNSUPPORTED_FINANCIAL_YEAR', '/purchaseDate', /2026-2027/)
const noSuchCode = fault('INVALID_PRICING_CODE', '/pricingCode', /AU_XX/)

test.each<[string, Partial<QuoteRequest>, ReturnType<typeof fault>]>([
  ['an unknown pricing code', { pricingCode: 'AU_YY' }, noSuchCode],
  ['a name of Object itself', { pricingCode: '__proto__' }, noSuchCode],
  ['a purchase in a year that is not priced', { purchaseDate: '2026-06-30' }, notPriced],
  ['a purchase after the last year', { purchaseDate: '2027-07-01' }, notPriced],
  ['an unknown concession', claim('NONE'), fault('INVALID_CONCESSION', '/customer/concession/type', /CARD/)],
])('%s is refused', (_name, part, expected) => {
  expect(() => priced(spec, { ...request(1), ...part })).toThrow(expected)
})

test.each<[string, QuoteRequest['vehicleGeneric'], string]>([
  ['made after its registration', { manufactureDate: '2026-12-02' }, 'manufactureDate'],
  ['used and made after its purchase', { condition: 'used', manufactureDate: '2026-11-22' }, 'manufactureDate'],
  [
    'registered before it was made',
    { manufactureDate: '2020-02-01', firstRegisteredDate: '2020-01-31' },
    'firstRegisteredDate',
  ],
  ['registered first after its registration', { firstRegisteredDate: '2026-12-02' }, 'firstRegisteredDate'],
  ['made on a day that is none', { manufactureDate: '2025-02-29' }, 'manufactureDate'],
  ['a model of the year after next', { year: 2028 }, 'year'],
])('a vehicle %s is INVALID_VEHICLE_INPUT', (_name, vehicleGeneric, field) => {
  const path = `/vehicleGeneric/${field}`
  expect(() => priced(spec, request(1, { vehicleGeneric }))).toThrow(
    fault('INVALID_VEHICLE_INPUT', path, new RegExp(field)),
  )
})

test('a new car may be bought before it is made', () => {
  expect(priced(spec, request(1, { vehicleGeneric: { manufactureDate: '2026-11-30', year: 2027 } })).lines).toEqual({
    DUTY: 1_000,
  })
})

test('a transfer is of a used vehicle, and only where and while it is offered', () => {
  const transfer = (part: Parameters<typeof request>[1]) => priced(spec, request(1, part))
  const type = 'transfer' as const
  expect(() => transfer({ registration: { type } })).toThrow(
    fault('INVALID_VEHICLE_INPUT', '/vehicleGeneric/condition'),
  )
  expect(transfer({ registration: { type }, vehicleGeneric: { condition: 'used' } }).lines).toEqual({ DUTY: 1_000 })
  expect(() =>
    transfer({ registration: { type, startDate: '2027-01-01' }, vehicleGeneric: { condition: 'used' } }),
  ).toThrow(fault('UNSUPPORTED_REGISTRATION_TYPE', '/registration/type', /2027-01-01.*offered: new/))
  const unsaid = transfer({ registration: { type }, vehicleGeneric: { condition: undefined } })
  // Any other vehicle is refused: there is nothing to say.
  expect(unsaid).toMatchObject({ lines: { DUTY: 1_000 }, assumptions: [] })
})

test('a term that is not offered is refused with those that are; 12 months is the default', () => {
  expect(() => priced(spec, request(1, { registration: { termMonths: 6 } }))).toThrow(
    fault('UNSUPPORTED_REGISTRATION_TERM', '/registration/termMonths', /3, 12/),
  )
  expect(priced(spec, request(1)).lines).toEqual({ DUTY: 1_000 })
})

test('a concession is taken while it runs, refused after, and ignored with a warning where it is not claimed', () => {
  expect(priced(spec, request(1, claim('CARD'))).lines).toEqual({ DUTY: 500 })
  const late = { ...claim('CARD'), registration: { startDate: '2027-01-01' } }
  expect(() => priced(spec, request(1, late))).toThrow(fault('INVALID_CONCESSION', '/customer/concession/type'))
  expect(priced(spec, request(1, claim('CARD', false)))).toMatchObject({
    lines: { DUTY: 1_000 },
    warnings: ['customer.concession.type is ignored: hasConcession is not true.'],
  })
})

// "prior_year substitutes rates only": a concession that ended is not lengthened by earlier rates.
test('under prior_year a concession that ended by its own date before the day asked for is not applied, and said to have ended', () => {
  const lasting = (endDate?: string) => {
    const [card] = spec.concessions!
    return { ...spec, concessions: [{ ...card!, ...(endDate === undefined ? { endDate: undefined } : { endDate }) }] }
  }
  const on = (startDate: string, endDate?: string) =>
    priced(
      lasting(endDate) as typeof spec,
      request(1, { ...claim('CARD'), registration: { startDate }, taxDatePolicy: { outOfRange: 'prior_year' } }),
    )
  expect(on('2027-08-31', '2027-08-31').lines).toEqual({ DUTY: 500 })
  for (const [startDate, endDate] of [['2027-09-01', '2027-08-31'], ['2027-07-01', '2027-06-30'], ['2027-07-01', '2026-12-31']]) {
    const { lines, assumptions } = on(startDate!, endDate)
    expect(lines).toEqual({ DUTY: 1_000 })
    expect(assumptions).toContainEqual({
      ...{ kind: 'ignored', path: '/customer/concession/type', assumed: null },
      reason: `The concession CARD ended on ${endDate}: it is not applied on ${startDate}.`,
    })
  }
  // Without a date of its own it is one of the rates.
  expect(on('2027-07-01').lines).toEqual({ DUTY: 500 })
})

const outside = (startDate: string, outOfRange?: 'error' | 'prior_year' | 'legacy') =>
  priced(spec, request(1, { registration: { startDate }, ...(outOfRange && { taxDatePolicy: { outOfRange } }) }))

test('past the published rates the policy decides: an error, the last covered day, or nothing', () => {
  expect(() => outside('2027-07-01', 'error')).toThrow(
    fault('UNSUPPORTED_REGISTRATION_DATE', '/registration/startDate'),
  )
  const { lines, answer, warnings } = outside('2027-07-01', 'prior_year')
  expect(lines).toEqual({ DUTY: 1_000 })
  expect(answer.metadata).toMatchObject({
    taxFallbackApplied: true,
    taxEffectiveDate: '2027-06-30',
    financialYear: '2026-2027',
  })
  expect(warnings[0]).toMatch(/prior-year fallback/)
  expect(outside('2027-06-30').answer.metadata).toMatchObject({
    taxFallbackApplied: false,
    warnings: expect.any(Array) as unknown[],
  })
  for (const empty of [outside('2027-07-01'), outside('2027-07-01', 'legacy')]) {
    expect(empty.answer.categories).toEqual({ dutiable: [], onRoad: [], additional: [] })
    expect(empty.answer.totals).toMatchObject({ dutiable: 0, driveAway: 0 })
    expect(empty.warnings).toHaveLength(1)
  }
})

test('before the published rates there is no prior year', () => {
  for (const policy of ['error', 'prior_year'] as const) {
    expect(() => outside('2026-06-30', policy)).toThrow(
      fault('UNSUPPORTED_REGISTRATION_DATE', '/registration/startDate'),
    )
  }
  expect(outside('2026-06-30').answer.totals.driveAway).toBe(0)
})

test('the checks come in the order of the contract', () => {
  const all = request(1, {
    pricingCode: 'AU_YY',
    purchaseDate: '2020-01-01',
    vehicleGeneric: { manufactureDate: '2030-01-01' },
    taxDatePolicy: { outOfRange: 'error' },
    registration: { startDate: '2028-01-01', termMonths: 7 },
    ...claim('NONE'),
  })
  const codes: string[] = []
  const fixes: (() => void)[] = [
    () => (all.pricingCode = 'AU_XX'),
    () => (all.purchaseDate = '2026-12-01'),
    () => (all.vehicleGeneric = { condition: 'used' }),
    () => (all.registration = { startDate: '2027-01-01', termMonths: 7, type: 'transfer' }),
    () => (all.customer = {}),
    () => (all.registration.startDate = '2026-12-01'),
    () => (all.registration.termMonths = 3),
  ]
  for (const fix of fixes) {
    expect(() => priced(spec, all)).toThrow(expect.objectContaining({ code: expect.any(String) as string }))
    try {
      priced(spec, all)
    } catch (error) {
      codes.push((error as { code: string }).code)
    }
    fix()
  }
  expect(codes).toEqual([
    'INVALID_PRICING_CODE',
    'UNSUPPORTED_FINANCIAL_YEAR',
    'INVALID_VEHICLE_INPUT',
    'UNSUPPORTED_REGISTRATION_DATE',
    'INVALID_CONCESSION',
    'UNSUPPORTED_REGISTRATION_TYPE',
    'UNSUPPORTED_REGISTRATION_TERM',
  ])
  expect(priced(spec, all).lines).toEqual({ DUTY: 1_000 })
})

test('a field that means nothing is named in a warning and changes no price', () => {
  const misspelt = request(100, {
    vehicleGeneric: { cylinder: 8 } as object,
    registration: { 'post/code': '3000' } as object,
  })
  Object.assign(misspelt.pricingInputs.dutiable[0] ?? {}, { amount: 5 })
  expect(priced(spec, misspelt)).toMatchObject({
    lines: { DUTY: 1_000 },
    warnings: [
      '/vehicleGeneric/cylinder is not a field of a quote request: ignored.',
      '/registration/post~1code is not a field of a quote request: ignored.',
      '/pricingInputs/dutiable/0/amount is not a field of a quote request: ignored.',
    ],
  })
})

test('a request that leaves everything out is priced with the defaults, which it names', () => {
  const bare = {
    pricingCode: 'AU_XX',
    showroomCode: 'TEST01',
    purchaseDate: '2026-11-21',
    pricingInputs: { dutiable: [{ description: 'Vehicle', value: 100_00 }] },
    registration: { startDate: '2026-12-01' },
  }
  const GENERIC = 'vehicleGeneric used: make and model default to generic, and make-specific rules cannot apply.'
  const said = (spec: ReturnType<typeof set>, asked: typeof bare) => {
    const { answer } = priced(spec, asked)
    expect(answer.totals.driveAway).toBe(101_00)
    return answer.metadata.assumptions.map(({ path, assumed }) => [path, assumed])
  }
  const cases = [
    { when: { registrationType: ['transfer' as const] }, charge: { flat: '7' } },
    { when: { condition: ['used' as const] }, charge: { flat: '5' } },
    { charge: { whole: { percent: '1' } } },
  ]
  const terms = [3, 6, 12].map((months) => ({ months, factor: `${months}/12` }))
  expect(said(set({ rules: [rule({ basis: 'PRICE', cases, terms })] }), bare)).toEqual([
    ['/vehicleGeneric', null],
    ['/vehicleGeneric/condition', 'new'],
    ['/registration/type', 'new'],
    ['/registration/termMonths', 12],
  ])
  // What changes no figure is not said: a transfer is offered here too.
  expect(said(charging({ whole: { percent: '1' } }), bare)).toEqual([['/vehicleGeneric', null]])
  expect(priced(charging({ flat: '1' }), bare).answer.metadata.warnings[0]).toBe(GENERIC)
})

test('a case that rejects is INVALID_VEHICLE_INPUT with its own words', () => {
  const refusing = set({ rules: [rule({ cases: [{ reject: 'INVALID_VEHICLE_INPUT', warning: 'Not on the road.' }] })] })
  expect(() => priced(refusing, request(1))).toThrow(
    fault('INVALID_VEHICLE_INPUT', '/vehicleGeneric', /Not on the road/),
  )
})
