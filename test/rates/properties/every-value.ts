import { expect } from 'vitest'
import { PricingFault } from '#rates/engine/answer.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest, Vehicle } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { solveTarget, type TargetAnswer } from '#rates/engine/target/target.ts'

/** A request whose line at `index` is solved for, on multiples of `increment` cents. */
export interface Asked {
  request: QuoteRequest
  index: number
  increment: number
}

/** The request with the solved line at a value. */
export function at({ request, index }: Asked, value: number): QuoteRequest {
  const { pricingInputs } = request
  const dutiable = pricingInputs.dutiable.map((line, position) => (position === index ? { ...line, value } : line))
  return { ...request, pricingInputs: { ...pricingInputs, dutiable } }
}

/** Code of the refusal, or what `price` gives. */
export function codeOr<T>(price: () => T): T | string {
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
  // The field may be sent in either of two places; two values that differ are refused.
  const paidBefore = request.lctPreviouslyPaid === undefined ? { lctPreviouslyPaid: 10_000_000_000 } : {}
  return {
    ...request,
    // A year sent would contradict the date.
    vehicleGeneric: { manufactureDate: '2010-01-01', ...vehicleGeneric, year: undefined } as Vehicle,
    pricingInputs: { ...paidBefore, ...pricingInputs },
  }
}

/** Cents to drive away at a value; `known` is false where the car cannot be priced there, and these are the least it can be. */
export function driveAway(asked: Asked, value: number, snapshot: Snapshot): { cents: number; known: boolean } | string {
  const request = at(asked, value)
  const found = codeOr(() => quote(request, snapshot).totals.driveAway)
  if (typeof found === 'number') return { cents: found, known: true }
  const least = codeOr(() => quote(withoutTax(request), snapshot).totals.driveAway)
  return typeof least === 'number' ? { cents: least, known: false } : found
}

const sumOf = (lines: readonly { value: number }[]) => lines.reduce((sum, { value }) => sum + value, 0)

/** The values from the one that makes the dutiable total 0, or what additional lines take off, to where the lines alone pass the target. */
export function rangeOf({ request, index, increment }: Asked, target: number) {
  const { dutiable, additional = [] } = request.pricingInputs
  const others = sumOf(dutiable) - dutiable[index]!.value
  const free = Math.floor((target - others - sumOf(additional)) / increment) * increment
  return {
    lowest: Math.ceil((-others - Math.min(0, sumOf(additional))) / increment) * increment,
    // A discount stays one.
    highest: dutiable[index]!.kind === 'discount' ? Math.min(free, 0) : free,
  }
}

/** The highest value within the target by trying every one, the highest first; a code where the request has no answer. */
function exhaustive(asked: Asked, target: number, snapshot: Snapshot): number | string {
  const { lowest, highest } = rangeOf(asked, target)
  for (let value = highest; value >= lowest; value -= asked.increment) {
    const found = driveAway(asked, value, snapshot)
    if (typeof found === 'string') return found
    if (found.cents <= target) return found.known ? value + 0 : 'INVALID_VEHICLE_INPUT'
  }
  const lowestFound = driveAway(asked, lowest, snapshot)
  // No discount makes up for lines that come to less than nothing; a vehicle that cannot be is refused before that is asked.
  if (lowestFound === 'bad_request') return refusalAtNothing(asked, snapshot) ?? 'TARGET_NOT_ACHIEVABLE'
  return typeof lowestFound !== 'string' && lowestFound.known ? 'TARGET_NOT_ACHIEVABLE' : 'INVALID_VEHICLE_INPUT'
}

/** The code by which the request is refused where its lines come to nothing. */
function refusalAtNothing({ request }: Asked, snapshot: Snapshot): string | undefined {
  const dutiable = [{ description: 'vehicle', value: 0, kind: 'vehicle' as const }]
  const pricingInputs = { ...request.pricingInputs, dutiable, additional: [] }
  const found = driveAway({ request: { ...request, pricingInputs }, index: 0, increment: 1 }, 0, snapshot)
  return typeof found === 'string' ? found : undefined
}

/** The engine's answer, or the code of its refusal. */
export const solved = (
  { request, index, increment }: Asked,
  target: number,
  snapshot: Snapshot,
): TargetAnswer | string =>
  codeOr(() => solveTarget(request, { driveAway: target, adjustLineIndex: index, increment }, snapshot))

/** Holds the engine's answer against trying every value. */
export function expectExhaustive(asked: Asked, target: number, snapshot: Snapshot): void {
  if (target < 1 || target > 10_000_000_000) return
  const answer = solved(asked, target, snapshot)
  const expected = exhaustive(asked, target, snapshot)
  expect(typeof answer === 'string' ? answer : answer.solution.solvedValue).toBe(expected)
  if (typeof answer === 'string') return
  const { solution, quote: priced } = answer
  expect(JSON.stringify(priced)).toBe(JSON.stringify(quote(at(asked, solution.solvedValue), snapshot)))
  expect(solution.driveAway).toBe(priced.totals.driveAway)
  expect(solution.shortfall).toBe(target - solution.driveAway)
  expect(solution.shortfall).toBeGreaterThanOrEqual(0)
}
