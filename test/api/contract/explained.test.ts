import { expect, test } from 'vitest'
import { centsOf } from '../../rates/properties/recompute.ts'
import { contractServer } from './contract-server.ts'
import { suv } from './requests.ts'

// options.explain leads to the value of a line: the steps are those of the law, with its figures, and nothing is left out.
const { quote } = contractServer()

const CAR = { bodyType: 'suv', fuelType: 'ICE', condition: 'new', cylinders: 4, seats: 5, tareKg: 1600, kerbMassKg: 1650 }
const FACTS = { gvmKg: 2200, co2GPerKm: 150, engineCapacityCc: 2000, fuelConsumptionLPer100km: 7.5 }
const ELECTRIC = { cylinders: undefined, engineCapacityCc: undefined, fuelConsumptionLPer100km: undefined, co2GPerKm: 0 }

interface Asked {
  place: [pricingCode: string, showroomCode: string, postcode: string]
  startDate: string
  termMonths?: number
  facts?: object
  value?: number
  change?: object
}

/** The account of a line, in order, and the cents that it leads to; the line itself has the same. */
async function accountOf(component: string, { place, startDate, termMonths = 12, facts, value = 4_500_000, change }: Asked) {
  const [pricingCode, showroomCode, postcode] = place
  const { categories } = await quote(
    suv({
      ...{ pricingCode, showroomCode, purchaseDate: startDate },
      vehicleGeneric: { ...CAR, ...FACTS, ...facts },
      pricingInputs: { dutiable: [{ description: 'Vehicle', value, kind: 'vehicle' }] },
      registration: { startDate, termMonths, type: 'new', postcode },
      options: { explain: true },
      ...change,
    }),
  )
  const line = categories.onRoad.find((one) => one.component === component)
  const account = line!.explain!.account
  const leads = centsOf(account as never)
  expect(line!.value).toBe(leads)
  return { steps: account.map(({ leavesCents: _left, ...step }) => step), cents: leads }
}

const SYDNEY: Asked['place'] = ['AU_NSW', 'SYD01', '2000']
const DARWIN: Asked['place'] = ['AU_NT', 'DRW01', '0800']
const HOBART: Asked['place'] = ['AU_TAS', 'HBA01', '7000']

// Motor Vehicles Taxation Act 1988 (NSW) and the RTA's rate card: a quarter of the annual tax, to the nearest dollar, halves up.
test.each([
  ['2024-09-16', '57000', 14_300],
  ['2025-09-16', '57900', 14_500],
])('NSW, three months from %s: a quarter of the tax, to the dollar', async (startDate, annual, cents) => {
  expect(await accountOf('MOTOR_TAX', { place: SYDNEY, startDate, termMonths: 3 })).toEqual({
    steps: [
      { kind: 'amount', cents: annual },
      { kind: 'term', months: 3, factor: '1/4' },
      { kind: 'round', toCents: '100', mode: 'halfUp' },
    ],
    cents,
  })
})

// Stamp Duty Act 1978 (NT): $3 for each $100 or part, so 801 parts, less up to $1,500 for a plug-in vehicle.
test('NT, a plug-in hybrid: the $1,500 that come off the duty are a step', async () => {
  const facts = { fuelType: 'PHEV', co2GPerKm: 40, fuelConsumptionLPer100km: 2 }
  const asked = { place: DARWIN, startDate: '2026-08-10', facts, value: 8_000_001 }
  expect(await accountOf('STAMP_DUTY', asked)).toEqual({
    steps: [
      { kind: 'basis', cents: '8000001' },
      { kind: 'perPart', rateCents: '300', perCents: '10000' },
      { kind: 'less', cents: '150000' },
      { kind: 'atLeast', cents: '0' },
    ],
    cents: 801 * 300 - 150_000,
  })
})

// The MAC charge with GST, 552.05 and 55.20: three months are a quarter, cut to 5 cents.
test('NT, three months: the premium is a quarter, cut to five cents', async () => {
  expect(await accountOf('CTP', { place: DARWIN, startDate: '2026-08-10', termMonths: 3 })).toEqual({
    steps: [
      { kind: 'amount', cents: '60725' },
      { kind: 'term', months: 3, factor: '1/4' },
      { kind: 'round', toCents: '5', mode: 'down' },
    ],
    cents: 13_800 + 1_380,
  })
})

// 20.42 fee units of 16.81, less the $100 for zero emission vehicles until 31 December 2025, to 10 cents.
test('Victoria, an electric car: the $100 that come off the fee are a step before the rounding', async () => {
  const facts = { ...ELECTRIC, fuelType: 'BEV' }
  const asked: Asked = { place: ['AU_VIC', 'MEL01', '3000'], startDate: '2025-10-01', facts }
  expect(await accountOf('REGISTRATION', asked)).toEqual({
    steps: [
      { kind: 'amount', cents: '34326.02' },
      { kind: 'less', cents: '10000' },
      { kind: 'round', toCents: '10', mode: 'halfUp' },
      { kind: 'term', months: 12, factor: '1' },
    ],
    cents: 24_330,
  })
})

// The guide's 675 a year: a quarter is 168.75, and what a short term costs besides.
test('South Australia, three months: what is added for a short term is a step', async () => {
  const asked: Asked = { place: ['AU_SA', 'ADL01', '5000'], startDate: '2025-12-01', termMonths: 3 }
  expect(await accountOf('REGISTRATION', asked)).toEqual({
    steps: [
      { kind: 'amount', cents: '67500' },
      { kind: 'term', months: 3, factor: '1/4' },
      { kind: 'plus', cents: '1250' },
    ],
    cents: 16_875 + 1_250,
  })
})

// Each of fire levy, registration fee and road safety levy by its days of 365, to 5 cents: 182 days from 1 October 2025.
test.each([
  ['REGISTRATION', '8786', 4_380],
  ['ROAD_SAFETY_LEVY', '3080', 1_535],
  ['FIRE_LEVY', '2300', 1_145],
])('Tasmania, six months: %s goes by days, to five cents', async (component, annual, cents) => {
  const found = await accountOf(component, { place: HOBART, startDate: '2025-10-01', termMonths: 6 })
  expect(found.steps.at(0)).toEqual({ kind: 'amount', cents: annual })
  expect(found.steps.slice(-2)).toEqual([
    { kind: 'term', months: 6, factor: '182/365' },
    { kind: 'round', toCents: '5', mode: 'halfUp' },
  ])
  expect(found.cents).toBe(cents)
})

// Half of a year's fee for who holds a card; Road Safety (Vehicles) Regulations: 352.70 / 2.
test('a concession is a step with what it takes off', async () => {
  const concession = { hasConcession: true, type: 'ELIGIBLE_BENEFICIARY' }
  const change = { customer: { customerType: 'consumer', usageType: 'consumer', concession } }
  const asked: Asked = { place: ['AU_VIC', 'MEL01', '3000'], startDate: '2026-08-10', change }
  const { steps, cents } = await accountOf('REGISTRATION', asked)
  expect(steps.at(-1)).toEqual({ kind: 'percentOff', percent: '50' })
  expect(cents).toBe(35_270 / 2)
})
