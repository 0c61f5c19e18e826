import { priceLines } from '../price/price.ts'
import type { QuoteRequest } from '../request.ts'
import type { Snapshot } from '../snapshot.ts'
import { stateOf, totalOf } from './inputs.ts'
import { quoteDefaults } from './quote.ts'
import { checkRequest } from './request-checks.ts'

/** What a quote charges, without what it says about the charges. */
export interface Amounts {
  /** Total of the request's own lines and of all charges, cents. */
  readonly driveAway: number
  /** Cents of each on-road component that has a line, in file order. */
  readonly onRoad: ReadonlyMap<string, number>
  /** The components that are due but have no price. */
  readonly unpriced: readonly string[]
}

/**
 * The amounts of `quote`, at about a third of its cost: whoever prices thousands of vehicles for a picture reads no
 * messages. Null when nothing is priced on the day. Throws PricingFault as `quote` does.
 */
export function amountsOf(request: QuoteRequest, snapshot: Snapshot): Amounts | null {
  const { pricingDay } = checkRequest(request, snapshot)
  if (pricingDay === null) return null
  const { program } = pricingDay.year
  const state = stateOf(request, quoteDefaults(request, pricingDay), program)
  state.trace = null
  state.silent = true
  const onRoad = new Map<string, number>()
  let driveAway = totalOf(request.pricingInputs.dutiable) + totalOf(request.pricingInputs.additional ?? [])
  for (const line of priceLines(program, state)) {
    if (line === null) continue
    onRoad.set(line.rule.component, line.cents)
    driveAway += line.cents
  }
  const unpriced = state.unpriced.flatMap((each) => (each === undefined ? [] : [each.component]))
  return { driveAway, onRoad, unpriced }
}
