import { PricingFault } from '../engine/answer.ts'
import { compare, type Exact } from '../engine/exact.ts'
import { quoteDefaults } from '../engine/quote/quote.ts'
import { checkRequest } from '../engine/quote/request-checks.ts'
import type { QuoteRequest } from '../engine/request.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { createProbe, type Probe } from '../engine/target/target-probe.ts'

/** Highest price examined, in cents. */
const MOST = 100_000_000

/**
 * Prices in cents on both sides of every edge of the rules for a vehicle: the last within the edge and the first beyond
 * it. Amounts that the basis adds to the price, such as luxury car tax, are taken into account.
 */
export function edgePrices(request: QuoteRequest, snapshot: Snapshot): number[] {
  try {
    const { pricingDay } = checkRequest(request, snapshot)
    if (pricingDay === null) return []
    const probe = createProbe(
      request,
      { index: 0, increment: 1 },
      quoteDefaults(request, pricingDay),
      pricingDay.year.program,
    )
    const rules = [...probe.at(MOST).readings.keys()]
    const last = rules.flatMap((rule) => probe.edgesOf(rule).map((edge) => lastWithin(probe, rule, edge)))
    return last.flatMap((price) => (price > 0 && price < MOST ? [price, price + 1] : []))
  } catch (error) {
    if (error instanceof PricingFault) return []
    throw error
  }
}

/** The highest price at which the basis of a rule is not above an edge, found by bisection. */
function lastWithin(probe: Probe, rule: object, edge: Exact): number {
  let low = 0
  let high = MOST
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const basis = probe.at(middle).readings.get(rule)
    if (basis && compare(basis, edge) > 0) high = middle
    else low = middle
  }
  return low
}
