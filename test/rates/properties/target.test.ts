import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PricingFault } from '#rates/engine/answer.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { quote } from '#rates/engine/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { solveTarget, type TargetAnswer } from '#rates/engine/target.ts'
import { parameters } from './parameters.ts'
import { requests } from './requests.ts'
import { labelOf, quotable, snapshotOf, withEveryForm } from './sets.ts'

const snapshot = snapshotOf(withEveryForm)
const each = quotable.map((spec) => [labelOf(spec), spec] as const)

interface Asked {
  request: QuoteRequest
  index: number
  increment: number
}

/** The request with the solved line at a value. */
function at({ request, index }: Asked, value: number): QuoteRequest {
  const { pricingInputs } = request
  const dutiable = pricingInputs.dutiable.map((line, position) => (position === index ? { ...line, value } : line))
  return { ...request, pricingInputs: { ...pricingInputs, dutiable } }
}

/** Code of the refusal, or what `price` gives. */
function codeOr<T>(price: () => T): T | string {
  try {
    return price()
  } catch (error) {
    if (error instanceof PricingFault) return error.code
    throw error
  }
}

/** What luxury car tax of a used car needs, sent so that there is none to pay: no price of the same car is lower. */
function withoutTax(request: QuoteRequest): QuoteRequest {
  const { pricingInputs, vehicleGeneric } = request
  return {
    ...request,
    vehicleGeneric: { manufactureDate: '2010-01-01', ...vehicleGeneric },
    pricingInputs: { lctPreviouslyPaid: 10_000_000_000, ...pricingInputs },
  }
}

/** Cents to drive away at a value; `known` is false where the car cannot be priced there, and these are the least it can be. */
function driveAway(asked: Asked, value: number): { cents: number; known: boolean } | string {
  const request = at(asked, value)
  const found = codeOr(() => quote(request, snapshot).totals.driveAway)
  if (typeof found === 'number') return { cents: found, known: true }
  const least = codeOr(() => quote(withoutTax(request), snapshot).totals.driveAway)
  return typeof least === 'number' ? { cents: least, known: false } : found
}

const sumOf = (lines: readonly { value: number }[]) => lines.reduce((sum, { value }) => sum + value, 0)

/** The values from the one that makes the dutiable total 0 to where the lines alone pass the target. */
function rangeOf({ request, index, increment }: Asked, target: number) {
  const { dutiable, additional = [] } = request.pricingInputs
  const others = sumOf(dutiable) - dutiable[index]!.value
  return {
    lowest: Math.ceil(-others / increment) * increment,
    highest: Math.floor((target - others - sumOf(additional)) / increment) * increment,
  }
}

/** The highest value within the target by trying every one, the highest first; a code where the request has no answer. */
function exhaustive(asked: Asked, target: number): number | string {
  const { lowest, highest } = rangeOf(asked, target)
  for (let value = highest; value >= lowest; value -= asked.increment) {
    const found = driveAway(asked, value)
    if (typeof found === 'string') return found
    if (found.cents <= target) return found.known ? value + 0 : 'INVALID_VEHICLE_INPUT'
  }
  const lowestFound = driveAway(asked, lowest)
  return typeof lowestFound !== 'string' && lowestFound.known ? 'TARGET_NOT_ACHIEVABLE' : 'INVALID_VEHICLE_INPUT'
}

const solved = ({ request, index, increment }: Asked, target: number): TargetAnswer | string =>
  codeOr(() => solveTarget(request, { driveAway: target, adjustLineIndex: index, increment }, snapshot))

function expectExhaustive(asked: Asked, target: number) {
  if (target < 1 || target > 10_000_000_000) return
  const answer = solved(asked, target)
  const expected = exhaustive(asked, target)
  expect(typeof answer === 'string' ? answer : answer.solution.solvedValue).toBe(expected)
  if (typeof answer === 'string') return
  const { solution, quote: priced } = answer
  expect(JSON.stringify(priced)).toBe(JSON.stringify(quote(at(asked, solution.solvedValue), snapshot)))
  expect(solution.driveAway).toBe(priced.totals.driveAway)
  expect(solution.shortfall).toBe(target - solution.driveAway)
  expect(solution.shortfall).toBeGreaterThanOrEqual(0)
}

/** A request of the set with any of its lines to be solved. */
const asks = (spec: RateSetSpec, increments: fc.Arbitrary<number>): fc.Arbitrary<Asked> =>
  fc
    .tuple(requests(spec), increments)
    .chain(([request, increment]) =>
      fc.nat({ max: request.pricingInputs.dutiable.length - 1 }).map((index) => ({ request, index, increment })),
    )

const coarse = fc.oneof(fc.constantFrom(500_00, 1_000_00, 5_000_00), fc.integer({ min: 300_00, max: 3_000_00 }))
const targets = fc.oneof(
  fc.integer({ min: 1, max: 250_000_00 }),
  fc.integer({ min: 1, max: 2_500 }).map((n) => n * 100_00),
)

test.each(each)('%s: on any multiple of any line, the answer is that of trying every value', (_name, spec) => {
  fc.assert(fc.property(asks(spec, coarse), targets, expectExhaustive), parameters)
})
