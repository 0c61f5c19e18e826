import { expect, test } from 'vitest'
import type { Quote } from '../../../rates/engine/answer.ts'
import { contractServer } from './contract-server.ts'
import { anywhere, customerWith, inNewSouthWales, suv, vehicle } from './requests.ts'

// What a quote says of a field that was sent and is not used as it was sent.
const { quote } = contractServer()

const CLAIM = '/customer/concession/type'
const claiming = (type: string) => customerWith({ hasConcession: true, type })
const said = ({ metadata }: Quote, path: string) =>
  metadata.assumptions.filter((one) => one.path === path).map(({ kind, reason }) => ({ kind, reason }))
const priceOf = (answer: Quote, component: string) =>
  answer.categories.onRoad.find((line) => line.component === component)?.value

// "$100 off a private light-vehicle registration due from 1 September 2026 to 31 August 2027."
test('prior_year does not lengthen a concession: it ends on its last day, also after the published rates', async () => {
  const on = (startDate: string, change = {}) =>
    quote(
      inNewSouthWales(
        { tareKg: 1600 },
        { registration: { startDate }, taxDatePolicy: { outOfRange: 'prior_year' }, ...change },
      ),
    )
  const claimed = (startDate: string) => on(startDate, claiming('REGISTRATION_DISCOUNT_2026'))
  const [last, after] = [await claimed('2027-08-31'), await claimed('2027-09-01')]
  const full = priceOf(await on('2027-09-01'), 'MOTOR_TAX')!
  expect([priceOf(last, 'MOTOR_TAX'), priceOf(after, 'MOTOR_TAX')]).toEqual([full - 10_000, full])
  const ended = 'The concession REGISTRATION_DISCOUNT_2026 ended on 2027-08-31: it is not applied on 2027-09-01.'
  expect([said(last, CLAIM), said(after, CLAIM)]).toEqual([[], [{ kind: 'ignored', reason: ended }]])
})

test('of a concession on a charge without a price nobody says that it changes nothing', async () => {
  const [answer] = said(await quote(inNewSouthWales({ tareKg: undefined }, claiming('APPRENTICE'))), CLAIM)
  expect(answer?.reason).toBe(
    'It is not known whether the concession APPRENTICE changes a charge of this vehicle: MOTOR_TAX has no price.',
  )
})

test('lctPreviouslyPaid of a new vehicle is ignored, and said to be; that of a used one is not', async () => {
  const dear = { dutiable: [{ description: 'Vehicle', value: 12_000_000 }] }
  const both = await quote(suv({ pricingInputs: { ...dear, lctPreviouslyPaid: 5_000 }, lctPreviouslyPaid: 5_000 }))
  const none = await quote(suv({ pricingInputs: dear }))
  expect(both.totals).toEqual(none.totals)
  const reason = expect.stringMatching(/lctPreviouslyPaid is ignored: the vehicle is new/) as string
  for (const path of ['/lctPreviouslyPaid', '/pricingInputs/lctPreviouslyPaid']) {
    expect([said(none, path), said(both, path)]).toEqual([[], [{ kind: 'ignored', reason }]])
  }
  expect(both.metadata.warnings.filter((warning) => warning.includes('lctPreviouslyPaid'))).toHaveLength(1)
  const used = vehicle({ condition: 'used', manufactureDate: '2025-11-01' })
  expect(said(await quote(suv({ ...used, pricingInputs: dear, lctPreviouslyPaid: 5_000 })), '/lctPreviouslyPaid')).toEqual([])
})

test('lctPreviouslyPaid of a demonstrator is credited, and where it changes nothing it is not called that of an unused car', async () => {
  const priced = (value: number, more = {}) =>
    quote(suv({ ...vehicle({ demonstrator: true }), pricingInputs: { dutiable: [{ description: 'Vehicle', value }], ...more } }))
  const [none, credited] = [await priced(12_000_000), await priced(12_000_000, { lctPreviouslyPaid: 500_000 })]
  expect(priceOf(credited, 'LUXURY_CAR_TAX')).toBe(priceOf(none, 'LUXURY_CAR_TAX')! - 500_000)
  const path = '/pricingInputs/lctPreviouslyPaid'
  expect([said(credited, path), said(await priced(5_000_000, { lctPreviouslyPaid: 500_000 }), path)]).toEqual([[], []])
})

test.each(['BEV', 'FCEV'])('co2GPerKm of a vehicle of fuelType %s is ignored, and said to be', async (fuelType) => {
  const facts = { fuelType, cylinders: undefined, tareKg: 1600 }
  // The Australian Capital Territory charges by emissions: 200 g is category C, and no emissions are AAA.
  const inCapital = { pricingCode: 'AU_ACT', showroomCode: 'CBR01', registration: anywhere('2026-08-10') }
  const of = (co2GPerKm?: number) => quote(suv({ ...inCapital, ...vehicle({ ...facts, co2GPerKm }) }))
  const path = '/vehicleGeneric/co2GPerKm'
  const reason = `co2GPerKm 200 is ignored: a vehicle of fuelType ${fuelType} emits no carbon dioxide.`
  const [unsent, none, other] = [await of(), await of(0), await of(200)]
  expect([said(unsent, path), said(none, path), said(other, path)]).toEqual([[], [], [{ kind: 'ignored', reason }]])
  expect([other.categories, other.metadata.unpriced]).toEqual([none.categories, none.metadata.unpriced])
  expect(other.totals).toEqual(unsent.totals)
  const hybrid = await quote(suv(vehicle({ fuelType: 'PHEV', co2GPerKm: 200 })))
  expect(said(hybrid, path)).toEqual([])
})

test('luxury car tax that depends on the body type alone says that the body type was not sent', async () => {
  const facts = vehicle({ bodyType: undefined, seats: 5, gvmKg: 3300, kerbMassKg: 2200, tareKg: 2100 })
  const dear = { dutiable: [{ description: 'Vehicle', value: 8_500_000 }] }
  const { metadata } = await quote(suv({ ...facts, pricingInputs: dear }))
  const [one] = metadata.assumptions.filter(({ reason }) => reason.includes('exempt as commercial vehicles'))
  expect(one).toMatchObject({ path: '/vehicleGeneric/bodyType', reason: expect.stringMatching(/^Body type/) as string })
})

// 2000 is in Sydney.
test.each([
  ['2000', ' The postcode sent, 2000, is not used.'],
  [undefined, ' is taken.'],
])('the postcode %s in South Australia: the district taken for it ends with "%s"', async (postcode, end) => {
  const registration = { startDate: '2026-08-10', termMonths: 12, type: 'new', postcode }
  const answer = await quote(suv({ pricingCode: 'AU_SA', showroomCode: 'ADL01', registration }))
  const taken = answer.metadata.assumptions.find(({ path }) => path === '/registration/postcode')
  expect(taken).toMatchObject({ kind: 'assumed', assumed: '5000' })
  expect(taken?.reason.slice(-end.length)).toBe(end)
})

// Price = premium, GST on the premium, and the Fund levy, which is not subject to GST (SIRA, how prices are set).
test('CTP of New South Wales says that its GST is at most one eleventh, and may rise', async () => {
  const { metadata, categories } = await quote(inNewSouthWales({ tareKg: 1600 }))
  const line = categories.onRoad.find(({ component }) => component === 'CTP')
  expect(line?.tax.amount).toBe(Math.round(line!.value / 11))
  const { reason } = metadata.assumptions.find(({ component }) => component === 'CTP')!
  expect(reason).toMatch(/GST is at most one eleventh: the Fund levy in the price bears none/)
  expect(metadata.mayRise).toContain('CTP')
})

// Classes 5A and 5B of the insurer: a bus for more than 16 adults, and one for up to 16.
test('a bus of 17 seats in the ACT is one for more than 16 adults, as the words for a bus of unknown seats have it', async () => {
  const registration = { startDate: '2026-08-10', termMonths: 12, type: 'new' }
  const bus = (seats?: number) =>
    quote(suv({ pricingCode: 'AU_ACT', showroomCode: 'CBR01', registration, ...vehicle({ bodyType: 'bus', seats }) }))
  const unsaid = await bus()
  const prices = [await bus(16), await bus(17), unsaid].map((answer) => priceOf(answer, 'CTP'))
  expect(prices[0]).toBeLessThan(prices[1]!)
  expect(prices[2]).toBe(prices[1])
  const found = unsaid.metadata.assumptions.find(({ path, component }) => path.endsWith('/seats') && component === 'CTP')
  expect(found?.reason).toBe('Seats not sent: the bus is taken to have seats for more than 16 adults.')
})
