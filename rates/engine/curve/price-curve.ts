import type { PricingFault, UnpricedComponent } from '../answer.ts'
import { checkLines } from '../quote/line-checks.ts'
import { quoteDefaults } from '../quote/quote.ts'
import { checkVehicleAndDay } from '../quote/request-checks.ts'
import type { QuoteRequest } from '../request.ts'
import type { Snapshot } from '../snapshot.ts'
import { createProbe, type Probe, type Probed } from '../target/target-probe.ts'
import { between, crossingOf, type Crossing } from '../target/target-search.ts'
import { unreachedBy, type Span } from './unreached.ts'

/** The price of the vehicle with the line at one value; all amounts are in cents. */
export interface CurvePoint {
  readonly value: number
  /** When `fault` says that the vehicle cannot be priced, this excludes the refused lines. */
  readonly driveAway: number
  /** The amounts in the order of `components`; 0 where there is no line. */
  readonly cents: readonly number[]
  /** The components that are due but have no price, in the same order. */
  readonly unpriced: readonly (UnpricedComponent | undefined)[]
  readonly fault: PricingFault | null
}

/** An edge of the law: two neighbouring cent values that fall into different bands, cases or rules. */
export interface Edge {
  readonly below: CurvePoint
  readonly above: CurvePoint
}

/** How drive-away depends on the value of one dutiable line within a range. */
export interface PriceCurve {
  readonly components: readonly string[]
  /** Points in ascending order: equally spaced, plus both sides of every edge. */
  readonly points: readonly CurvePoint[]
  readonly edges: readonly Edge[]
  /** Drive-away totals beside an edge that no value of the line produces; cents, both bounds inclusive. */
  readonly unreached: readonly Span[]
}

/** The dutiable line and the range of its values, in cents. */
export interface CurveRange {
  from: number
  to: number
  /** How many equally spaced values to price, 2 or more. */
  points: number
  /** Position of the line; 0 by default. */
  line?: number
}

/**
 * Computes drive-away over the values of one dutiable line. The edges come from the compiled rules and are exact to the
 * cent, however few points are requested (docs/decisions/0007). Throws PricingFault as a quote does.
 */
export function priceCurve(request: QuoteRequest, range: CurveRange, snapshot: Snapshot): PriceCurve {
  checkLines(request)
  const { pricingDay } = checkVehicleAndDay(request, snapshot)
  if (pricingDay === null) return { components: [], points: [], edges: [], unreached: [] }
  const { program } = pricingDay.year
  const defaults = quoteDefaults(request, pricingDay)
  const probe = createProbe(request, { index: range.line ?? 0, increment: 1 }, defaults, program)
  const sampled = valuesOf(range).map((value) => probe.at(value))
  const edges = sampled.slice(1).flatMap((high, index) => edgesBetween(probe, sampled[index]!, high))
  const points = [...sampled, ...edges.flat()].sort((a, b) => a.step - b.step)
  return {
    components: program.order.toSorted((a, b) => a.slot - b.slot).map(({ name }) => name),
    points: points.filter(({ step }, index) => step !== points[index - 1]?.step),
    edges: edges.map(([below, above]) => ({ below, above })),
    unreached: unreachedBy(points, edges),
  }
}

function valuesOf({ from, to, points }: CurveRange): number[] {
  const steps = Math.min(points - 1, to - from)
  return Array.from({ length: steps + 1 }, (_, index) => from + Math.round(((to - from) * index) / Math.max(1, steps)))
}

/** Every pair of neighbouring cent values with an edge between them, lowest first. */
function edgesBetween(probe: Probe, low: Probed, high: Probed, last: Crossing | null = null): [Probed, Probed][] {
  const crossing = crossingOf(probe, low, high, last)
  if (crossing === null) return []
  if (high.step - low.step === 1) return [[low, high]]
  const middle = probe.at(between(low.step, high.step, crossing))
  return [...edgesBetween(probe, low, middle, crossing), ...edgesBetween(probe, middle, high, crossing)]
}
