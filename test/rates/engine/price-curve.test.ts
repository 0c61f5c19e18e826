import { expect, test } from 'vitest'
import { priceCurve, type PriceCurve } from '#rates/engine/curve/price-curve.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { solveTarget } from '#rates/engine/target/target.ts'
import { sets, snapshotOf } from '../properties/sets.ts'
import { charging, request, rule, set, snapshotOf as snapshotOfOne } from './small-set.ts'

const snapshot = snapshotOf(sets)
const POSTCODES = { AU_ACT: '2600', AU_NSW: '2000', AU_NT: '0800', AU_QLD: '4000', AU_SA: '5000', AU_TAS: '7000' }
const postcodes: Record<string, string> = { ...POSTCODES, AU_VIC: '3000', AU_WA: '6000' }

/** A new SUV that emits 150 g/km and has every fact that any jurisdiction asks for. */
const suv = (pricingCode: string, value = 50_000_00): QuoteRequest =>
  ({
    pricingCode,
    showroomCode: 'ANY',
    purchaseDate: '2026-08-10',
    registration: { startDate: '2026-08-10', termMonths: 12, postcode: postcodes[pricingCode] },
    vehicleGeneric: {
      ...{ bodyType: 'suv', fuelType: 'ICE', condition: 'new', seats: 5, cylinders: 4, engineCapacityCc: 2000 },
      ...{ tareKg: 1600, kerbMassKg: 1700, gvmKg: 2200, co2GPerKm: 150, fuelConsumptionLPer100km: 8 },
    },
    pricingInputs: { dutiable: [{ description: 'Vehicle', value, kind: 'vehicle' }] },
  }) as unknown as QuoteRequest

/** Each cliff of more than $50: the last value below it, and what the next cent costs, in cents. */
const cliffsOf = ({ edges }: PriceCurve) =>
  edges
    .map(({ below, above }) => ({ at: below.value, costs: above.driveAway - below.driveAway }))
    .filter(({ costs }) => costs > 50_00)

/** Luxury car tax of a new car: 33 % of 10/11 of what is above the threshold, to the nearest cent (the Act, s 5-15). */
const luxuryCarTax = (price: number) => Math.round((3 * Math.max(0, price - 80_809_00)) / 10)

/** The highest price, in cents, that comes to at most `paid` dollars with luxury car tax. */
function highestWithin(paid: number): number {
  let price = paid * 100
  while (price + luxuryCarTax(price) > paid * 100) price--
  return price
}

test('the cliffs of the Victorian scale lie where the Duties Act and luxury car tax put them, to the cent', () => {
  const cliffs = cliffsOf(priceCurve(suv('AU_VIC'), { from: 10_000_00, to: 200_000_00, points: 50 }, snapshot))
  // $8.40, $10.40, $14 and $18 for each $200 or part of price and luxury car tax; the next cent of price begins a further $200.
  expect(cliffs).toEqual([
    { at: 80_809_00, costs: 405 * (10_40 - 8_40) + 1 },
    { at: highestWithin(100_000), costs: 501 * 14_00 - 500 * 10_40 + 2 },
    { at: highestWithin(150_000), costs: 751 * 18_00 - 750 * 14_00 + 2 },
  ])
})

test('the one cliff of the Queensland scale of a car of four cylinders is at a dutiable value of $100,000', () => {
  const cliffs = cliffsOf(priceCurve(suv('AU_QLD'), { from: 10_000_00, to: 200_000_00, points: 50 }, snapshot))
  // $3 and, above $100,000, $5 for each $100 or part.
  expect(cliffs).toEqual([{ at: highestWithin(100_000), costs: 1_001 * 5_00 - 1_000 * 3_00 + 2 }])
})

const codes = Object.keys(postcodes)

test.each(codes)('%s: each of 10,000 points of the curve is the drive-away of a quote', (code) => {
  const { points } = priceCurve(suv(code), { from: 0, to: 180_000_37, points: 10_000 }, snapshot)
  expect(points.length).toBeGreaterThanOrEqual(10_000)
  expect(points.filter(({ fault }) => fault !== null)).toEqual([])
  const drawn = points.map(({ value, driveAway }) => [value, driveAway])
  expect(drawn).toEqual(drawn.map(([value = 0]) => [value, quote(suv(code, value), snapshot).totals.driveAway]))
})

test.each(codes)('%s: each component of a point is the line of that component', (code) => {
  const { components, points } = priceCurve(suv(code), { from: 90_000_00, to: 91_000_00, points: 2 }, snapshot)
  for (const { value, cents } of points) {
    const { onRoad } = quote(suv(code, value), snapshot).categories
    const lines = components.map((name) => onRoad.find(({ component }) => component === name)?.value ?? 0)
    expect(cents).toEqual(lines)
  }
})

const concessions = codes.flatMap((code) => {
  const specs = snapshot.specs.filter(
    ({ pricingCode, financialYear }) => pricingCode === code && financialYear === '2026-2027',
  )
  return [
    ...new Set(
      specs.flatMap(({ concessions: own = [] }) =>
        own.filter(({ startDate = '' }) => startDate <= '2026-08-10').map(({ type }) => type),
      ),
    ),
  ].map((type) => [code, type] as const)
})

test.each(concessions)(
  '%s: with the concession %s, each point of the curve is the drive-away of a quote',
  (code, type) => {
    const claimed = (value: number): QuoteRequest => ({
      ...suv(code, value),
      customer: { concession: { hasConcession: true, type } },
    })
    const { points } = priceCurve(claimed(0), { from: 0, to: 180_000_37, points: 200 }, snapshot)
    const drawn = points.filter(({ fault }) => fault === null).map(({ value, driveAway }) => [value, driveAway])
    expect(drawn).toEqual(drawn.map(([value = 0]) => [value, quote(claimed(value), snapshot).totals.driveAway]))
    expect(drawn.length).toBeGreaterThan(0)
  },
)

test.each(codes)('%s: the edges are the same however few points are asked for', (code) => {
  const edgesOf = (points: number) =>
    priceCurve(suv(code), { from: 10_000_00, to: 200_000_00, points }, snapshot).edges.map(({ below }) => below.value)
  expect(edgesOf(2)).toEqual(edgesOf(777))
  expect(edgesOf(2)).not.toEqual([])
})

test.each(codes)('%s: no price comes to a total that is said to be unreached', (code) => {
  const { unreached } = priceCurve(suv(code), { from: 10_000_00, to: 200_000_00, points: 100 }, snapshot)
  for (const { from, to } of unreached) {
    const { solution } = solveTarget(suv(code), { driveAway: to, increment: 1 }, snapshot)
    expect(solution.driveAway).toBeLessThan(from)
  }
})

test('a total that a fall reaches from above is not unreached', () => {
  const falling = charging({
    bands: [{ upTo: '100', flat: '0' }, { upTo: '200', flat: '500' }, { flat: '0' }],
  })
  const range = { from: 0, to: 1_000_00, points: 11 }
  const { edges, unreached } = priceCurve(request(0), range, snapshotOfOne(falling))
  expect(edges.map(({ below }) => below.value)).toEqual([100_00, 200_00])
  // $100 to $600.01 is a jump; from $200.01 on the price itself comes to each of them but the first hundred.
  expect(unreached).toEqual([{ from: 100_01, to: 200_00 }])
})

test('an amount of money that a charge assumes does not replace the price in the basis', () => {
  const spec = set({
    bases: [{ name: 'VALUE', cases: [{ firstPresent: ['marketValue', 'dutiable'] }] }],
    missing: [{ fact: 'marketValue', assume: '60000', warning: 'marketValue not sent.' }],
    rules: [
      rule({
        basis: 'VALUE',
        cases: [
          { when: { basis: { upTo: '70000' } }, charge: { whole: { percent: '10' }, less: ['marketValue'] } },
          { charge: { whole: { percent: '1' } } },
        ],
      }),
    ],
  })
  const snapshot = snapshotOfOne(spec)
  const { points } = priceCurve(request(0), { from: 0, to: 80_000_00, points: 9 }, snapshot)
  const drawn = points.map(({ value, driveAway }) => [value, driveAway])
  expect(drawn).toEqual(drawn.map(([value = 0]) => [value, quote(request(value / 100), snapshot).totals.driveAway]))
})
