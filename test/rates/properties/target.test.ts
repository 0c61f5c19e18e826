import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { driveAway, expectExhaustive, rangeOf, solved, type Asked } from './every-value.ts'
import { stoppingAfter } from './parameters.ts'
import { prices, requests } from './requests.ts'
import { labelOf, quotable, snapshotOf, withEveryForm } from './sets.ts'

const snapshot = snapshotOf(withEveryForm)
/** There are four properties of every set here: each stops sooner. */
const parameters = stoppingAfter(150)
const each = quotable.map((spec) => [labelOf(spec), spec] as const)

/** A request of the set, any of its lines to be solved for: the price, an accessory, a discount, … */
const asks = (spec: RateSetSpec, increments: fc.Arbitrary<number>): fc.Arbitrary<Asked> =>
  fc
    .tuple(requests(spec), increments)
    .chain(([request, increment]) =>
      fc.nat({ max: request.pricingInputs.dutiable.length - 1 }).map((index) => ({ request, index, increment })),
    )

/** Increments that leave few enough values to try each. */
const coarse = fc.oneof(fc.constantFrom(500_00, 1_000_00, 5_000_00), fc.integer({ min: 300_00, max: 3_000_00 }))

test.each(each)('%s: on any multiple of any line, the answer is that of trying every value', (_name, spec) => {
  const targets = fc.oneof(
    fc.integer({ min: 1, max: 250_000_00 }),
    fc.integer({ min: 1, max: 2_500 }).map((n) => n * 100_00),
  )
  const holds = (asked: Asked, target: number) => expectExhaustive(asked, target, snapshot)
  fc.assert(fc.property(asks(spec, coarse), targets, holds), parameters)
})

/** Where a target is put: so many multiples from an edge, and so many cents from the drive-away there. */
interface Place {
  edge: number
  multiples: number
  cents: number
}

const placesAt = (edges: fc.Arbitrary<number>): fc.Arbitrary<Place> =>
  fc.record({ edge: edges, multiples: fc.integer({ min: -2, max: 3 }), cents: fc.integer({ min: -2, max: 2 }) })

/** Another line shifts the values so that the edge lies on a multiple, or the cent or two beside it that `prices` draws. */
function expectExhaustiveAround({ request, index, increment }: Asked, { edge, multiples, cents }: Place) {
  const shift = { description: 'shift', value: (edge % increment) - increment, kind: 'vehicle' as const }
  const pricingInputs = { ...request.pricingInputs, dutiable: [...request.pricingInputs.dutiable, shift] }
  const asked = { request: { ...request, pricingInputs }, index, increment }
  const reached = driveAway(asked, Math.floor(edge / increment + multiples) * increment, snapshot)
  if (typeof reached !== 'string') expectExhaustive(asked, reached.cents + cents, snapshot)
}

test.each(each)('%s: around every edge, the answer is that of trying every value', (_name, spec) => {
  fc.assert(fc.property(asks(spec, coarse), placesAt(prices(spec)), expectExhaustiveAround), parameters)
})

const federal = withEveryForm.filter(({ pricingCode }) => pricingCode === 'AU')
/** Cents of the thresholds of luxury car tax. */
const thresholds = federal.flatMap(({ parameters: known = [] }) =>
  known.flatMap(({ values }) => values.map(({ value }) => Math.round(Number(value) * 100))),
)

const without = <T extends object>(value: T, ...names: (keyof T)[]): T =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name as keyof T))) as T

/** A used car without what luxury car tax needs to know: the tax paid before, and perhaps when it was made. */
function usedCar(request: QuoteRequest, manufactureDate: string | undefined): QuoteRequest {
  const vehicle = without(request.vehicleGeneric ?? {}, 'bodyType', 'firstRegisteredDate', 'manufactureDate', 'year')
  const pricingInputs = without(request.pricingInputs, 'lctPreviouslyPaid')
  const made = manufactureDate === undefined ? {} : { manufactureDate }
  const vehicleGeneric = { ...vehicle, ...made, bodyType: 'suv' as const, condition: 'used' as const }
  return { ...without(request, 'lctPreviouslyPaid'), vehicleGeneric, pricingInputs }
}

test.each(each)('%s: a used car is refused only where luxury car tax cannot be told', (_name, spec) => {
  const made = fc.constantFrom(undefined, '2025-12-31', '2012-05-01')
  const holds = (asked: Asked, place: Place, date: string | undefined) =>
    expectExhaustiveAround({ ...asked, request: usedCar(asked.request, date) }, place)
  const beside = fc.tuple(fc.constantFrom(...thresholds), fc.integer({ min: -2, max: 2 })).map(([a, b]) => a + b)
  fc.assert(fc.property(asks(spec, coarse), placesAt(beside), made, holds), parameters)
})

test.each(each)('%s: to the cent, no value above the answer is within the target', (_name, spec) => {
  const holds = (asked: Asked, { edge, cents }: Place) => {
    const reached = driveAway(asked, edge, snapshot)
    const target = typeof reached === 'string' ? 0 : reached.cents + cents
    const answer = target < 1 ? '' : solved(asked, target, snapshot)
    if (typeof answer === 'string') return
    const { solvedValue, driveAway: achieved } = answer.solution
    expect(answer.quote.totals.driveAway).toBe(achieved)
    expect(achieved).toBeLessThanOrEqual(target)
    for (const value of above(asked, solvedValue, target)) {
      const found = driveAway(asked, value, snapshot)
      if (typeof found !== 'string') expect(found.cents).toBeGreaterThan(target)
    }
  }
  fc.assert(fc.property(asks(spec, fc.constant(1)), placesAt(prices(spec)), holds), parameters)
})

/** The next cents, where the steps of duty are, and further up by strides. */
function* above(asked: Asked, from: number, target: number): Generator<number> {
  const { highest } = rangeOf(asked, target)
  for (let value = from + 1; value <= highest; value += value < from + 500 ? 1 : 37_003) yield value
}
