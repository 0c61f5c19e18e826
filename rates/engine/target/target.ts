import { PricingFault, type Quote } from '../answer.ts'
import { totalOf } from '../quote/inputs.ts'
import { sayUnknown } from '../quote/request-notes.ts'
import { unknownTargetFields } from '../quote/unknown-fields.ts'
import { quote, quoteDefaults } from '../quote/quote.ts'
import { checkLines } from '../quote/line-checks.ts'
import { checkVehicleAndDay } from '../quote/request-checks.ts'
import type { QuoteRequest, RequestLine, Target } from '../request.ts'
import type { Snapshot } from '../snapshot.ts'
import { createProbe, type Probe, type Probed } from './target-probe.ts'
import { highestWithin } from './target-search.ts'

/** How closely the target is met; all amounts are in cents. */
export interface Solution {
  lineDescription: string
  originalValue: number
  solvedValue: number
  /** Negative when the price has to fall. */
  adjustment: number
  driveAway: number
  /** The target minus the drive-away found; never negative. */
  shortfall: number
  exact: boolean
  /** Whether every component that is due at this value has a price. */
  complete: boolean
  /** Number of evaluations of the engine, including the one for the quote in the answer. */
  iterations: number
}

/** The target with its defaults. */
type Wanted = Required<Target>

/** The answer of `POST /v1/quote/target-drive-away`. */
export interface TargetAnswer {
  target: Wanted
  solution: Solution
  quote: Quote
}

/** Limit of a target drive-away and of the size of a line, in cents. */
const MOST = 10_000_000_000

/**
 * Finds the highest value of one dutiable line, a multiple of the increment, whose drive-away does not exceed the
 * target, and quotes at that value. Throws PricingFault: the faults of a quote, then INVALID_TARGET and
 * TARGET_NOT_ACHIEVABLE, and INVALID_VEHICLE_INPUT when the vehicle cannot be priced at the solution.
 */
export function solveTarget(request: QuoteRequest, target: Target, snapshot: Snapshot): TargetAnswer {
  checkLines(request)
  const { pricingDay } = checkVehicleAndDay(request, snapshot)
  if (pricingDay === null) throw emptyQuote(request)
  const defaults = quoteDefaults(request, pricingDay)
  const { driveAway, adjustLineIndex = 0, increment = 100 } = target
  const goal = { driveAway, adjustLineIndex, increment }
  const line = lineOf(goal, request)
  const probe = createProbe(request, { index: adjustLineIndex, increment }, defaults, pricingDay.year.program)
  const found = solve(probe, goal, request)
  if (found.fault) throw found.fault
  // A quote has no `target`, so it is excluded; unknown fields within the target are reported.
  const asQuote: QuoteRequest & { target?: unknown } = { ...requestAt(found.value, adjustLineIndex, request) }
  delete asQuote.target
  const answer = quote(asQuote, snapshot)
  for (const path of unknownTargetFields(target)) sayUnknown(path, 'a quote request', answer.metadata)
  const solution = solutionOf(line, goal, found, probe.count() + 1)
  return { target: goal, solution: { ...solution, complete: answer.metadata.complete }, quote: answer }
}

function emptyQuote({ registration }: QuoteRequest): PricingFault {
  const message = `registration.startDate ${registration.startDate} is outside the published rates: no target can be solved.`
  return new PricingFault('INVALID_TARGET', '/registration/startDate', message)
}

/** The line to solve; throws INVALID_TARGET. */
function lineOf({ driveAway, adjustLineIndex, increment }: Wanted, request: QuoteRequest): RequestLine {
  const invalid = (field: string, expected: string): never => {
    throw new PricingFault('INVALID_TARGET', `/target/${field}`, `target.${field} must be ${expected}.`)
  }
  const { dutiable } = request.pricingInputs
  const whole = Number.isSafeInteger
  if (!whole(driveAway) || driveAway < 1 || driveAway > MOST) return invalid('driveAway', `1 to ${MOST} cents`)
  if (!whole(increment) || increment < 1 || increment > MOST) return invalid('increment', `1 to ${MOST} cents`)
  return (
    dutiable[adjustLineIndex] ??
    invalid('adjustLineIndex', `the position of a dutiable line, 0 to ${dutiable.length - 1}`)
  )
}

/** The highest point within the target, starting at the value at which the lines sum to 0. Throws PricingFault. */
function solve(probe: Probe, { driveAway, adjustLineIndex, increment }: Wanted, request: QuoteRequest): Probed {
  const { dutiable, additional = [] } = request.pricingInputs
  const others = totalOf(dutiable) - dutiable[adjustLineIndex]!.value
  // A price from which the additional lines deduct more than the price itself would be refused.
  const deducted = Math.min(0, totalOf(additional))
  const lowest = Math.ceil(Math.max(-others - deducted, -MOST) / increment)
  // A discount stays a discount: a positive line of this kind is refused.
  const highest = dutiable[adjustLineIndex]!.kind === 'discount' ? 0 : Math.floor(MOST / increment)
  if (lowest > highest) throw notAchievable(`no multiple of ${increment} gives the lines a total of 0 or more`)
  const low = probe.at(lowest)
  const high = probe.at(highest)
  const search = { ...probe, most: driveAway }
  // Above what the lines alone allow, a solution exists only if the charges sum to less than zero.
  const free = Math.floor((driveAway - others - totalOf(additional)) / increment)
  const middle = free <= lowest ? low : free >= highest ? high : probe.at(free)
  const found = highestWithin(search, middle, high) ?? highestWithin(search, low, middle)
  if (found) return found
  const least = `with the line at its lowest value, ${low.value} cents, the drive-away is ${low.driveAway} cents`
  throw low.fault ?? notAchievable(least)
}

const notAchievable = (why: string): PricingFault =>
  new PricingFault('TARGET_NOT_ACHIEVABLE', '/target/driveAway', `The target cannot be reached: ${why}.`)

function solutionOf(
  line: RequestLine,
  { driveAway }: Wanted,
  found: Probed,
  iterations: number,
): Omit<Solution, 'complete'> {
  const shortfall = driveAway - found.driveAway
  return {
    lineDescription: line.description,
    originalValue: line.value,
    solvedValue: found.value,
    adjustment: found.value - line.value,
    driveAway: found.driveAway,
    shortfall,
    exact: shortfall === 0,
    iterations,
  }
}

/** The request with the line at a value. */
function requestAt(value: number, index: number, request: QuoteRequest): QuoteRequest {
  const { pricingInputs } = request
  const dutiable = pricingInputs.dutiable.map((line, at) => (at === index ? { ...line, value } : line))
  return { ...request, pricingInputs: { ...pricingInputs, dutiable } }
}
