import { describe, expect, test } from 'vitest'
import { PricingFault } from '#rates/engine/answer.ts'
import type { Rule } from '#rates/engine/grammar/rule.ts'
import type { Vehicle } from '#rates/engine/request.ts'
import { priced, request, rule, set } from './small-set.ts'

// A value that is assumed never contradicts a fact that was sent.
const flat = (dollars: string) => ({ charge: { flat: dollars } })
const one = (part: Partial<Rule> & Pick<Rule, 'cases'>) => set({ rules: [rule(part)] })
const of = (spec: ReturnType<typeof one>, vehicleGeneric: Vehicle, type: 'new' | 'transfer' = 'new') =>
  priced(spec, request(1, { vehicleGeneric, registration: { type } }))

const LIGHT = { fact: 'gvmKg', assume: '4000', warning: 'gvmKg not sent: taken as at most 4,000 kg.' } as const
const LIGHTER_TRUCK = { fact: 'gvmKg', assume: '4500', warning: 'gvmKg not sent: taken as at most 4,500 kg.' } as const
const byLadenMass = [
  { when: { gvmKg: { above: '4500' } }, ...flat('3') },
  { when: { gvmKg: { above: '4000' } }, ...flat('2') },
  flat('1'),
]

describe('a vehicle is no lighter laden than empty', () => {
  test('the next entry that the masses leave room for is taken', () => {
    const spec = one({ missing: [LIGHT, LIGHTER_TRUCK], cases: byLadenMass })
    expect(of(spec, { tareKg: 4000 })).toMatchObject({ lines: { DUTY: 100 }, warnings: [LIGHT.warning] })
    expect(of(spec, { tareKg: 4001 })).toMatchObject({ lines: { DUTY: 200 }, warnings: [LIGHTER_TRUCK.warning] })
    expect(of(spec, { kerbMassKg: 4001 })).toMatchObject({ lines: { DUTY: 200 } })
  })

  test('a mass that is proved is not asked for', () => {
    const spec = one({ missing: [LIGHT, LIGHTER_TRUCK], cases: byLadenMass })
    expect(of(spec, { tareKg: 4501 })).toMatchObject({ lines: { DUTY: 300 }, warnings: [] })
    const byTare = [{ when: { tareKg: { max: '2000' } }, ...flat('1') }, flat('2')]
    const light = one({ missing: [{ fact: 'tareKg', assume: '2500', warning: 'Taken as heavy.' }], cases: byTare })
    expect(of(light, { gvmKg: 2000 })).toMatchObject({ lines: { DUTY: 100 }, warnings: [] })
    expect(of(light, { gvmKg: 2499 }).answer.metadata.unpriced).toMatchObject([{ path: '/vehicleGeneric/tareKg' }])
  })

  test('without an entry that is possible there is no price, and the fact is named', () => {
    const spec = one({ missing: [LIGHT], cases: byLadenMass })
    const { lines, answer } = of(spec, { tareKg: 4001 })
    expect(lines).toEqual({})
    expect(answer.metadata).toMatchObject({
      complete: false,
      unpriced: [{ component: 'DUTY', because: 'missing_fact', path: '/vehicleGeneric/gvmKg' }],
    })
  })

  test('rows of a table are passed over as the masses prove', () => {
    const rows = [{ upTo: '2000', amounts: ['1'] }, { upTo: '3000', amounts: ['2'] }, { amounts: ['3'] }]
    const spec = one({ missing: [LIGHT], cases: [{ charge: { table: { fact: 'gvmKg', rows } } }] })
    expect(of(spec, { tareKg: 3001 })).toMatchObject({ lines: { DUTY: 300 }, warnings: [] })
  })

  test('what is assumed of one mass proves nothing of another, which is still named', () => {
    const spec = one({
      missing: [
        { fact: 'gvmKg', assume: '2000', warning: 'gvmKg not sent.' },
        { fact: 'tareKg', assume: '1900', warning: 'tareKg not sent.' },
      ],
      cases: [
        { when: { gvmKg: { above: '4000' } }, ...flat('1') },
        { when: { tareKg: { above: '2000' } }, ...flat('2') },
        flat('3'),
      ],
    })
    expect(of(spec, {})).toMatchObject({ lines: { DUTY: 300 }, warnings: ['gvmKg not sent.', 'tareKg not sent.'] })
  })
})

describe('what was on the road before was registered before', () => {
  const NEVER = { fact: 'previouslyRegistered', assume: 'false', warning: 'Taken as never registered.' } as const
  const spec = one({ missing: [NEVER], cases: [{ when: { previouslyRegistered: false }, ...flat('1') }, flat('2')] })

  test('a first registration before the day asked for proves it', () => {
    expect(of(spec, { firstRegisteredDate: '2026-11-30' })).toMatchObject({ lines: { DUTY: 200 }, warnings: [] })
    const onTheDay = of(spec, { firstRegisteredDate: '2026-12-01' })
    expect(onTheDay).toMatchObject({ lines: { DUTY: 100 }, warnings: [NEVER.warning] })
  })

  test('so does a registration that is transferred', () => {
    expect(of(spec, { condition: 'used' }, 'transfer')).toMatchObject({ lines: { DUTY: 200 }, warnings: [] })
  })
})

describe('a vehicle is on the road only once it is made', () => {
  const when = { firstRegisteredDate: { to: '2025-06-30' } }
  const LATE = { fact: 'firstRegisteredDate', assume: '2025-07-01', warning: 'Taken as later.' } as const
  const spec = one({ missing: [LATE], cases: [{ when, ...flat('1') }, flat('2')] })
  const used = (facts: Vehicle) => of(spec, { condition: 'used', ...facts })

  test('a date of manufacture after the day proves it', () => {
    expect(used({ manufactureDate: '2025-07-01' })).toMatchObject({ lines: { DUTY: 200 }, warnings: [] })
    expect(used({ manufactureDate: '2025-06-30' }).warnings).toEqual([LATE.warning])
  })

  test('so does the year of the model, which is made at most a year before', () => {
    expect(used({ year: 2027 })).toMatchObject({ lines: { DUTY: 200 }, warnings: [] })
    expect(used({ year: 2026 }).warnings).toEqual([LATE.warning])
  })
})

describe('a vehicle without cylinders, fuel or emissions is not taken as one with an engine', () => {
  const PETROL = { fact: 'fuelType', assume: 'ICE', warning: 'Taken as petrol or diesel.' } as const
  const spec = one({ missing: [PETROL], cases: [{ when: { fuelType: ['ICE'] }, ...flat('2') }, flat('1')] })

  test.each<Vehicle>([{ cylinders: 0 }, { co2GPerKm: 0 }, { fuelConsumptionLPer100km: 0 }])('%j', (facts) => {
    expect(of(spec, facts).answer.metadata.unpriced).toMatchObject([
      { because: 'missing_fact', path: '/vehicleGeneric/fuelType' },
    ])
  })

  test('one with rotors is', () => {
    expect(of(spec, { cylinders: 0, rotors: 2 })).toMatchObject({ lines: { DUTY: 200 }, warnings: [PETROL.warning] })
  })
})

describe('facts that contradict each other are refused, naming the field', () => {
  const spec = one({ cases: [flat('1')] })
  const refusal = (vehicle: Vehicle, type: 'new' | 'transfer' = 'new') => {
    try {
      of(spec, vehicle, type)
      return undefined
    } catch (error) {
      if (error instanceof PricingFault) return [error.code, error.path]
      throw error
    }
  }

  test.each<[string, Vehicle]>([
    ['co2GPerKm', { fuelType: 'ICE', co2GPerKm: 0 }],
    ['co2GPerKm', { fuelType: 'HEV', co2GPerKm: 0 }],
    ['co2GPerKm', { fuelType: 'PHEV', co2GPerKm: 0 }],
    ['fuelConsumptionLPer100km', { fuelType: 'ICE', fuelConsumptionLPer100km: 0 }],
    ['fuelConsumptionLPer100km', { fuelType: 'PHEV', fuelConsumptionLPer100km: 0 }],
    ['cylinders', { fuelType: 'HEV', cylinders: 0 }],
    ['engineCapacityCc', { fuelType: 'ICE', engineCapacityCc: 0 }],
    ['tareKg', { tareKg: 0 }],
    ['kerbMassKg', { kerbMassKg: 0 }],
    ['gvmKg', { gvmKg: 0 }],
    ['seats', { seats: 0 }],
    ['seats', { bodyType: 'suv', seats: 10 }],
    ['seats', { bodyType: 'van', seats: 12 }],
    ['seats', { seats: 10 }],
    ['previouslyRegistered', { previouslyRegistered: false, firstRegisteredDate: '2026-11-30' }],
  ])('%s: %j', (field, vehicle) => {
    expect(refusal(vehicle)).toEqual(['INVALID_VEHICLE_INPUT', `/vehicleGeneric/${field}`])
  })

  test.each(['listPrice', 'marketValue'] as const)('%s: a price of nothing', (field) => {
    const asked = request(1, { pricingInputs: { [field]: 0 } })
    expect(() => priced(spec, asked)).toThrow(`${field} is 0`)
    expect(priced(spec, request(1, { pricingInputs: { [field]: 1 } })).lines).toEqual({ DUTY: 100 })
  })

  test('previouslyRegistered: a transfer of what was never registered', () => {
    const vehicle: Vehicle = { condition: 'used', previouslyRegistered: false }
    expect(refusal(vehicle, 'transfer')).toEqual(['INVALID_VEHICLE_INPUT', '/vehicleGeneric/previouslyRegistered'])
    expect(refusal(vehicle)).toBeUndefined()
  })

  test.each<Vehicle>([
    { fuelType: 'BEV', co2GPerKm: 0, fuelConsumptionLPer100km: 0, cylinders: 0 },
    { fuelType: 'FCEV', co2GPerKm: 0, engineCapacityCc: 0 },
    { bodyType: 'suv', seats: 9 },
    { bodyType: 'people_mover', seats: 10 },
    { bodyType: 'bus', seats: 30, tareKg: 1, kerbMassKg: 1, gvmKg: 1 },
    { fuelType: 'PHEV', co2GPerKm: 1, fuelConsumptionLPer100km: 0.1, cylinders: 0, rotors: 1 },
    { previouslyRegistered: false, firstRegisteredDate: '2026-12-01' },
    { previouslyRegistered: true, firstRegisteredDate: '2026-11-30' },
  ])('not refused: %j', (vehicle) => {
    expect(refusal(vehicle)).toBeUndefined()
  })
})

test.each(['BEV', 'FCEV'])('what has no exhaust emits nothing: co2GPerKm of %s is 0 in every rule', (fuelType) => {
  const spec = one({
    missing: [{ fact: 'co2GPerKm', assume: '220', warning: 'Emissions not sent.' }],
    cases: [{ when: { co2GPerKm: { above: '120' } }, ...flat('9') }, flat('1')],
  })
  for (const co2GPerKm of [undefined, 0, 121]) {
    const { lines, warnings } = of(spec, { fuelType, ...(co2GPerKm === undefined ? {} : { co2GPerKm }) })
    expect([lines, warnings.length]).toEqual([{ DUTY: 100 }, co2GPerKm === 121 ? 1 : 0])
  }
  expect(of(spec, { fuelType: 'PHEV', co2GPerKm: 121 }).lines).toEqual({ DUTY: 900 })
})
