import { expect, test } from 'vitest'
import type { Assumption, Quote } from '../../../rates/engine/answer.ts'
import { contractServer } from './contract-server.ts'
import { anywhere, customerWith, inQueensland, inWestern, onDay, suv, vehicle, without } from './requests.ts'

// The table of warnings of the interface: each has its condition, its meaning, and its twin in metadata.assumptions.
const { get, quote } = contractServer()
const lineOf = (answer: Quote, component: string) =>
  answer.categories.onRoad.find((line) => line.component === component)

/** The assumption about a path, whose reason is one of the warnings. */
function twin({ metadata }: Quote, path: string): Assumption | undefined {
  const found = metadata.assumptions.find((assumption) => assumption.path === path)
  if (found) expect(metadata.warnings).toContain(found.reason)
  return found
}

/** Every warning has a twin, and every assumption is a warning's. */
function expectTwins({ metadata: { warnings, assumptions } }: Quote): void {
  expect(new Set(assumptions.map(({ reason }) => reason))).toEqual(new Set(warnings))
  for (const { path, component } of assumptions) expect(path !== '' || component !== undefined).toBe(true)
}

const expensive = (change: Record<string, unknown>) => ({
  pricingInputs: { dutiable: [{ description: 'Vehicle', value: 8_500_000 }] },
  ...vehicle(change),
})

test('Missing tareKg in a state that needs licence fee units: Registration not priced; quote incomplete', async () => {
  const answer = await quote(inWestern({}))
  const unpriced = { kind: 'unpriced', path: '/vehicleGeneric/tareKg', component: 'REGISTRATION', assumed: null }
  expect(answer.metadata.assumptions).toContainEqual(expect.objectContaining(unpriced))
  expect(lineOf(answer, 'REGISTRATION')).toBeUndefined()
  expect(twin(await quote(inWestern({ tareKg: 1500 })), '/vehicleGeneric/tareKg')).toBeUndefined()
})

test('ICE vehicle without cylinders: Duty assumes 1-4 cylinders and may be too low', async () => {
  const answer = await quote(inQueensland({}))
  expect(twin(answer, '/vehicleGeneric/cylinders')).toMatchObject({ assumed: 4 })
  const six = lineOf(await quote(inQueensland({ cylinders: 6 })), 'STAMP_DUTY')!.value
  expect(lineOf(answer, 'STAMP_DUTY')!.value).toBeLessThan(six)
  expect(twin(await quote(inQueensland({ fuelType: 'BEV' })), '/vehicleGeneric/cylinders')).toBeUndefined()
})

test('Missing postcode for TAC risk zone: Default METRO zone assumed', async () => {
  const registration = anywhere('2026-08-10')
  expect(twin(await quote(suv({ registration })), '/registration/postcode')).toMatchObject({ assumed: '3000' })
  expect(twin(await quote(suv()), '/registration/postcode')).toBeUndefined()
})

test('Conservative upper-bound CTP default: CTP is an estimate', async () => {
  for (const pricingCode of ['AU_NSW', 'AU_QLD', 'AU_ACT']) {
    const registration = anywhere('2026-08-10')
    const answer = await quote(suv({ pricingCode, registration }))
    const ctp = lineOf(answer, 'CTP')!
    const estimate = answer.metadata.assumptions.find(({ component }) => component === 'CTP')
    expect(estimate).toMatchObject({ path: '', assumed: ctp.value })
    expect([ctp.evidence, estimate?.reason]).toEqual(['estimate', expect.stringContaining('CTP is an estimate')])
  }
  expect(lineOf(await quote(suv()), 'CTP')?.evidence).not.toBe('estimate')
})

test('vehicleGeneric used: Make and model defaulted to generic; make-specific rules cannot apply', async () => {
  expect(twin(await quote(suv()), '/vehicleGeneric')).toMatchObject({ kind: 'default', assumed: null })
})

test('PHEV without fuelConsumptionLPer100km: PHEV assumed to meet the LCT fuel-efficient test', async () => {
  const path = '/vehicleGeneric/fuelConsumptionLPer100km'
  const answer = await quote(suv(expensive({ fuelType: 'PHEV' })))
  expect(twin(answer, path)).toBeDefined()
  const efficient = await quote(suv(expensive({ fuelType: 'PHEV', fuelConsumptionLPer100km: 2.1 })))
  expect(twin(efficient, path)).toBeUndefined()
  expect(lineOf(answer, 'LUXURY_CAR_TAX')?.value).toBe(lineOf(efficient, 'LUXURY_CAR_TAX')?.value)
  const thirsty = await quote(suv(expensive({ fuelType: 'PHEV', fuelConsumptionLPer100km: 9 })))
  expect(lineOf(thirsty, 'LUXURY_CAR_TAX')!.value).toBeGreaterThan(lineOf(answer, 'LUXURY_CAR_TAX')?.value ?? 0)
})

test('Ute or cab-chassis without seats, gvmKg, kerbMassKg: LCT applied; most utes are exempt as commercial vehicles when these are sent', async () => {
  for (const bodyType of ['ute', 'cab_chassis']) {
    const facts = { bodyType, seats: undefined, fuelType: 'ICE', tareKg: 2200 }
    const without = await quote(suv(expensive(facts)))
    expect(lineOf(without, 'LUXURY_CAR_TAX')!.value).toBeGreaterThan(0)
    const paths = ['seats', 'gvmKg', 'kerbMassKg'].map((field) => `/vehicleGeneric/${field}`)
    for (const path of paths) expect([path, twin(without, path)]).toEqual([path, expect.anything()])
    const sent = await quote(suv(expensive({ ...facts, seats: 5, gvmKg: 3300, kerbMassKg: 2200 })))
    expect(lineOf(sent, 'LUXURY_CAR_TAX')).toBeUndefined()
    for (const path of paths) expect(twin(sent, path)).toBeUndefined()
  }
})

test('Prior-year fallback used: Added when taxDatePolicy.outOfRange is prior_year and the date is out of range', async () => {
  const { registration } = onDay('2040-08-10')
  const path = '/registration/startDate'
  const fallback = await quote(suv({ registration, taxDatePolicy: { outOfRange: 'prior_year' } }))
  expect(twin(fallback, path)).toMatchObject({ assumed: fallback.metadata.taxEffectiveDate })
  expect(twin(await quote(suv({ taxDatePolicy: { outOfRange: 'prior_year' } })), path)).toBeUndefined()
})

test('A 200 response may carry metadata.warnings, plain-language notes on assumptions; the quote stays valid', async () => {
  const bare = {
    bodyType: undefined,
    fuelType: undefined,
    condition: undefined,
    cylinders: undefined,
    seats: undefined,
  }
  const { metadata, totals } = await quote(suv(vehicle({ ...bare, co2GPerKm: undefined })))
  expect(metadata.warnings.length).toBeGreaterThan(2)
  expect(totals.driveAway).toBeGreaterThan(totals.dutiable)
})

test('a field that is not known is ignored, and a warning names it', async () => {
  const answer = await quote(suv({ ...vehicle({ tareKG: 5 }), colour: 'red' }))
  expect(twin(answer, '/colour')).toMatchObject({ assumed: null })
  expect(twin(answer, '/vehicleGeneric/tareKG')).toMatchObject({ assumed: null })
})

const bodies: Record<string, unknown>[] = [
  {},
  { vehicleGeneric: undefined },
  expensive({ fuelType: 'PHEV' }),
  expensive({ bodyType: 'ute', seats: undefined }),
  expensive({ bodyType: 'motorcycle' }),
  expensive({ bodyType: 'bus', gvmKg: 9000 }),
  customerWith({ type: 'x' }),
  { registration: { ...anywhere('2026-08-10'), termMonths: undefined } },
  { customer: { usageType: 'taxi' } },
  { customer: { usageType: 'business', customerType: 'business' }, colour: 1 },
  { registration: onDay('2040-08-10').registration, taxDatePolicy: { outOfRange: 'prior_year' } },
  { registration: onDay('2040-08-10').registration, taxDatePolicy: {} },
]
for (const code of ['AU_ACT', 'AU_NSW', 'AU_NT', 'AU_QLD', 'AU_SA', 'AU_TAS', 'AU_VIC', 'AU_WA']) {
  test(`metadata.assumptions is the machine-readable twin of each warning in ${code}`, async () => {
    const { body } = await get<{ concessions: { type: string }[] }>(
      `/v1/concessions?pricingCode=${code}&date=2026-08-10`,
    )
    const claims = body.concessions.map(({ type }) => customerWith({ hasConcession: true, type }))
    for (const change of [...bodies, ...claims]) {
      expectTwins(
        await quote(without('showroom', { pricingCode: code, registration: anywhere('2026-08-10'), ...change })),
      )
    }
  })
}

test('an unknown field is named in a few hundred characters, however long its name is', async () => {
  const answer = await quote({ ...suv(), ['k'.repeat(240_000)]: 1 })
  const { warnings, assumptions } = answer.metadata
  expect(warnings.filter((text) => text.includes('kkk')).length).toBe(1)
  expect(JSON.stringify([warnings, assumptions]).length).toBeLessThan(4_000)
})
