import { describe, expect, test } from 'vitest'
import type { Rule } from '../../../rates/engine/grammar/rule.ts'
import { priced, request, rule, set } from './small-set.ts'

// A fact that changes a price is never assumed silently, and a fact that cannot matter is never warned of.
const flat = (dollars: string) => ({ charge: { flat: dollars } })
const one = (part: Partial<Rule> & Pick<Rule, 'cases'>, more: Partial<Parameters<typeof set>[0]> = {}) =>
  set({ ...more, rules: [rule({ basis: 'PRICE', ...part })] })
const used = (facts: object) => request(1, { vehicleGeneric: { condition: 'used', ...facts } })

describe('the defaults of customerType and usageType', () => {
  const spec = one({ cases: [{ when: { usageType: ['taxi'] }, ...flat('9') }, flat('1')] })

  test('are recorded where the outcome depends on them, as kind default', () => {
    const { lines, warnings, assumptions } = priced(spec, request(1))
    expect(lines).toEqual({ DUTY: 100 })
    expect(warnings).toEqual(['usageType not sent: consumer is taken.'])
    expect(assumptions).toEqual([
      {
        kind: 'default',
        path: '/customer/usageType',
        component: 'DUTY',
        assumed: 'consumer',
        reason: 'usageType not sent: consumer is taken.',
      },
    ])
  })

  test('are not said where they are sent or nothing asks for them', () => {
    expect(priced(spec, request(1, { customer: { usageType: 'consumer' } })).warnings).toEqual([])
    expect(priced(one({ cases: [flat('1')] }), request(1)).warnings).toEqual([])
  })
})

describe('a missing fact is named', () => {
  const table = {
    columns: ['electric', 'other'],
    fact: 'cylinders' as const,
    rows: [
      { upTo: '6', amounts: ['1', '2'] },
      { upTo: '99', amounts: ['1', '-'] },
    ],
  }
  const spec = one(
    {
      missing: [
        { fact: 'fuelType', assume: 'ICE', warning: 'Fuel not sent: taken as petrol.' },
        { fact: 'cylinders', assume: '4', warning: 'Cylinders not sent: taken as 4.' },
      ],
      cases: [{ charge: { table } }],
    },
    {
      classes: [
        { name: 'electric', anyOf: [{ fuelType: ['BEV'] }] },
        { name: 'other', anyOf: [{ fuelType: ['ICE', 'HEV', 'PHEV', 'FCEV'] }] },
      ],
    },
  )

  test('where the assumed value has no published amount and another value has one', () => {
    const { answer, warnings } = priced(spec, request(1, { vehicleGeneric: { cylinders: 8 } }))
    expect(answer.metadata.unpriced).toMatchObject([{ component: 'DUTY', because: 'no_figure' }])
    expect(warnings).toContain('Fuel not sent: taken as petrol.')
  })
})

describe('a fact that cannot matter is not warned of', () => {
  const missing = [{ fact: 'cylinders' as const, assume: '4', warning: 'Cylinders not sent: taken as 4.' }]
  const cases = [{ when: { cylinders: { min: '5' } }, ...flat('9') }, flat('1')]

  test('where a concession leaves nothing of the line', () => {
    const concessions = [
      {
        type: 'FREE',
        label: 'Free',
        description: 'Nothing is charged.',
        evidence: 'official' as const,
        sources: ['act'],
        adjustments: [{ component: 'DUTY', percentOff: '100' }],
      },
    ]
    const spec = one({ missing, cases }, { concessions })
    const claim = { customer: { usageType: 'consumer', concession: { hasConcession: true, type: 'FREE' } } }
    expect(priced(spec, request(1)).warnings).toEqual(['Cylinders not sent: taken as 4.'])
    expect(priced(spec, request(1, claim))).toMatchObject({ lines: { DUTY: 0 }, warnings: [] })
  })

  test('where the columns of a table are equal for this vehicle', () => {
    const table = {
      columns: ['small', 'large'],
      fact: 'engineCapacityCc' as const,
      rows: [
        { upTo: '2000', amounts: ['1', '2'] },
        { upTo: '9000', amounts: ['3', '3'] },
      ],
    }
    const classes = [
      { name: 'small', anyOf: [{ cylinders: { max: '4' } }] },
      { name: 'large', anyOf: [{ cylinders: { above: '4' } }] },
    ]
    const spec = one({ missing, cases: [{ charge: { table } }] }, { classes })
    const warningsAt = (engineCapacityCc: number) =>
      priced(spec, request(1, { vehicleGeneric: { engineCapacityCc } })).warnings
    expect(warningsAt(1_500)).toEqual(['Cylinders not sent: taken as 4.'])
    expect(warningsAt(4_500)).toEqual([])
  })
})

describe('an age that other facts prove is not asked for', () => {
  const spec = one({
    missing: [{ fact: 'manufactureDate', reject: true }],
    cases: [{ when: { age: { from: 'manufactureDate', moreThanYears: 2 } }, ...flat('1') }, flat('2')],
  })

  test('a first registration over two years ago proves more than two years', () => {
    expect(priced(spec, used({ firstRegisteredDate: '2024-11-30' })).lines).toEqual({ DUTY: 100 })
  })

  test('a model year so long ago that its last vehicle is over two years old proves it too', () => {
    expect(priced(spec, used({ year: 2022 })).lines).toEqual({ DUTY: 100 })
  })

  test.each([{ firstRegisteredDate: '2024-12-01' }, { year: 2023 }, {}])('%j does not prove it', (facts) => {
    expect(() => priced(spec, used(facts))).toThrow(expect.objectContaining({ code: 'INVALID_VEHICLE_INPUT' }))
  })
})

test('what is assumed for a class is a value of the field, and sending it gives the same price', () => {
  const spec = one(
    {
      missing: [{ class: 'green', assume: 'false', warning: 'Taken as not green.' }],
      cases: [{ when: { class: ['green'] }, ...flat('1') }, flat('2')],
    },
    { classes: [{ name: 'green', anyOf: [{ fuelType: ['BEV'] }, { co2GPerKm: { max: '120' } }] }] },
  )
  const { lines, assumptions } = priced(spec, request(1))
  const values = Object.fromEntries(assumptions.map(({ path, assumed }) => [path.split('/').at(-1), assumed]))
  expect(values).toEqual({ fuelType: 'ICE', co2GPerKm: 150 })
  expect(priced(spec, request(1, { vehicleGeneric: values }))).toMatchObject({ lines, warnings: [] })
})

test('a value of which another class would have it otherwise is not said to be assumed', () => {
  const spec = one(
    {
      missing: [
        { class: 'heavy', assume: 'false', warning: 'Taken as light.' },
        { class: 'laden', assume: 'false', warning: 'Taken to carry little.' },
      ],
      cases: [{ when: { class: ['heavy'] }, ...flat('3') }, { when: { class: ['laden'] }, ...flat('2') }, flat('1')],
    },
    {
      derivedFacts: [{ name: 'LOAD_KG', sum: [{ fact: 'gvmKg' }, { fact: 'kerbMassKg', times: '-1' }] }],
      classes: [
        { name: 'heavy', anyOf: [{ gvmKg: { above: '4500' } }] },
        { name: 'laden', anyOf: [{ derived: [{ name: 'LOAD_KG', above: '2000' }] }] },
      ],
    },
  )
  const vehicleGeneric = { kerbMassKg: 2_200 }
  const { lines, assumptions } = priced(spec, request(1, { vehicleGeneric }))
  const said = assumptions.map(({ reason, assumed }) => [reason, assumed])
  expect(said).toContainEqual(['Taken as light.', null])
  for (const { assumed } of assumptions.filter((each) => each.assumed !== null))
    expect(priced(spec, request(1, { vehicleGeneric: { ...vehicleGeneric, gvmKg: Number(assumed) } })).lines).toEqual(lines)
})

test('a basis that falls back because a field was not sent names the field', () => {
  const warning = 'listPrice not sent: the price is taken.'
  const cases = [
    { when: { present: ['listPrice' as const] }, sum: ['listPrice'] },
    { sum: ['dutiable'], warning },
  ]
  const spec = set({
    bases: [{ name: 'LIST', cases }],
    rules: [rule({ basis: 'LIST', cases: [{ charge: { whole: { percent: '1' } } }] })],
  })
  expect(priced(spec, request(100)).assumptions).toEqual([
    { kind: 'assumed', path: '/pricingInputs/listPrice', component: 'DUTY', assumed: null, reason: warning },
  ])
  expect(priced(spec, request(100, { pricingInputs: { listPrice: 20_000 } }))).toMatchObject({
    lines: { DUTY: 200 },
    assumptions: [],
  })
})

describe('a fact that several facts leave room for', () => {
  const loads = [{ name: 'LOAD_KG', sum: [{ fact: 'gvmKg' as const }, { fact: 'kerbMassKg' as const, times: '-1' }] }]
  const spec = one(
    {
      missing: [{ class: 'laden', assume: 'false', warning: 'Masses not sent: taken as light.' }],
      cases: [{ when: { class: ['laden'] }, ...flat('9') }, flat('1')],
    },
    {
      derivedFacts: loads,
      classes: [
        { name: 'laden', anyOf: [{ bodyType: ['motorcycle'], derived: [{ name: 'LOAD_KG', above: '2000' }] }] },
      ],
    },
  )

  test('is named whichever of its words comes last, with a value that is possible', () => {
    const { assumptions } = priced(spec, request(1))
    expect(assumptions.map(({ path }) => path)).toEqual([
      '/vehicleGeneric/bodyType',
      '/vehicleGeneric/gvmKg',
      '/vehicleGeneric/kerbMassKg',
    ])
  })

  test('is taken as a mass between those that are sent', () => {
    const limits = one({
      missing: [{ fact: 'kerbMassKg', assume: '1600', warning: 'Kerb mass not sent: taken as 1,600 kg.' }],
      cases: [{ when: { kerbMassKg: { above: '3000' } }, ...flat('9') }, flat('1')],
    })
    const masses = (tareKg: number, gvmKg: number) => request(1, { vehicleGeneric: { tareKg, gvmKg } })
    expect(priced(limits, masses(1_100, 3_001)).warnings).toHaveLength(1)
    expect(priced(limits, masses(1_100, 3_000)).warnings).toEqual([])
    // Heavier empty than the edge: proved, and not what would be taken.
    expect(priced(limits, masses(3_100, 3_400))).toMatchObject({ lines: { DUTY: 900 }, warnings: [] })
  })
})

describe('a date is named where some day that the vehicle leaves room for gives another price', () => {
  const age = { from: 'firstRegisteredDate', moreThanYears: 1 } as const
  const warning = 'Taken as registered within a year.'
  const classes = [{ name: 'old', anyOf: [{ age }] }]
  const missing = [{ class: 'old', assume: 'false', warning }]
  const spec = one({ missing, cases: [{ when: { class: ['old'] }, ...flat('1') }, flat('2')] }, { classes })

  test.each([{ manufactureDate: '2025-11-30' }, { year: 2026 }])('with %j, the day before the anniversary', (facts) => {
    expect(priced(spec, used(facts)).warnings).toEqual([warning])
    expect(priced(spec, used({ ...facts, firstRegisteredDate: '2025-11-30' })).lines).toEqual({ DUTY: 100 })
  })

  test('and is not named where the vehicle was made on the anniversary', () => {
    expect(priced(spec, used({ manufactureDate: '2025-12-01' }))).toMatchObject({ lines: { DUTY: 200 }, warnings: [] })
  })
})

test('no day after a used vehicle is bought is tried for its first registration', () => {
  const missing = [{ fact: 'firstRegisteredDate' as const, assume: '2020-01-01', warning: 'Taken as of 2020.' }]
  const late = { firstRegisteredDate: { from: '2026-12-01' } }
  const spec = one({
    missing: [...missing, { fact: 'firstRegisteredDate', assume: '2026-12-02', warning: 'Taken as later.' }],
    cases: [{ when: late, ...flat('1') }, flat('2')],
  })
  const bought = (purchaseDate: string) =>
    priced(spec, { ...used({ previouslyRegistered: true }), purchaseDate }).warnings
  expect(bought('2026-12-01')).toEqual(['Taken as of 2020.'])
  expect(bought('2026-11-30')).toEqual([])
})

test('a condition on the day asked for holds to its last day, also where the rates of an earlier day are used', () => {
  const spec = one({ cases: [{ when: { requestedDate: { to: '2027-06-30' } }, ...flat('1') }, flat('2')] })
  const from = (startDate: string) =>
    priced(spec, request(1, { registration: { startDate }, taxDatePolicy: { outOfRange: 'prior_year' } })).lines
  expect([from('2027-06-30'), from('2027-07-01')]).toEqual([{ DUTY: 100 }, { DUTY: 200 }])
})

test('a fact is named where another value of it would make a further fact needed', () => {
  const warning = 'Taken as one that is old enough.'
  const spec = one({
    missing: [
      { fact: 'previouslyRegistered', assume: 'true', warning },
      { fact: 'manufactureDate', reject: true },
    ],
    cases: [
      { when: { previouslyRegistered: true }, ...flat('1') },
      { when: { age: { from: 'manufactureDate', moreThanYears: 2 } }, ...flat('1') },
      flat('2'),
    ],
  })
  expect(priced(spec, request(1))).toMatchObject({ lines: { DUTY: 100 }, warnings: [warning] })
  expect(() => priced(spec, request(1, { vehicleGeneric: { previouslyRegistered: false } }))).toThrow('manufactureDate is needed')
})
