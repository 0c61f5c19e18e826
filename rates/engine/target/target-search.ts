import { compare, type Exact } from '../exact.ts'

/** One evaluation of the engine; all amounts are in cents. */
export interface Point {
  /** The line's value in increments. */
  readonly step: number
  readonly driveAway: number
  /** By component slot; 0 where there is no line. */
  readonly cents: readonly number[]
  /** The value of the basis by rule, in the order of evaluation. */
  readonly readings: ReadonlyMap<object, Exact | null>
}

/** The function being searched: `at` evaluates the engine, `edgesOf` gives the edges of a rule, highest first. */
export interface Search<P extends Point> {
  readonly most: number
  readonly at: (step: number) => P
  readonly edgesOf: (rule: object) => readonly Exact[]
}

/** An edge between two points, or an interval that may hide one. */
export interface Crossing {
  /** The edge; null when it cannot be named. */
  readonly edge: Exact | null
  /** Estimated position of the edge between the two points, as a share of their distance; derived from the basis. */
  readonly share: number
  /** How many times this edge has been searched for. */
  readonly turn: number
}

/**
 * The highest point from `low` to `high` whose drive-away is at most `most`, or null. The only assumption about how
 * charges follow the line is that of docs/decisions/0007: where no edge lies between two points, each charge moves in
 * one direction.
 */
export function highestWithin<P extends Point>(
  search: Search<P>,
  low: P,
  high: P,
  last: Crossing | null = null,
): P | null {
  if (high.driveAway <= search.most) return high
  if (high.step - low.step <= 1) return low.driveAway <= search.most ? low : null
  const crossing = crossingOf(search, low, high, last)
  if (crossing === null && leastBetween(low, high) > search.most) return null
  const middle = search.at(between(low.step, high.step, crossing))
  return highestWithin(search, middle, high, crossing) ?? highestWithin(search, low, middle, crossing)
}

/**
 * A whole step strictly between two steps: at the estimated edge, or else half-way. The estimate is exact when the
 * basis is linear; when it is not, two estimates and four halvings alternate until the edge is found.
 */
export function between(low: number, high: number, crossing: Crossing | null): number {
  const share = crossing !== null && crossing.turn % 6 < 2 ? crossing.share : 0.5
  // A share is a double and may lie slightly below the edge from which it was computed.
  const step = low + Math.floor((high - low) * share + 1e-6)
  return Math.min(high - 1, Math.max(low + 1, step))
}

/** A lower bound of drive-away between two points, provided that each charge moves in one direction between them. */
function leastBetween(low: Point, high: Point): number {
  let least = low.driveAway
  for (let slot = 0; slot < low.cents.length; slot++) {
    least -= Math.max(0, low.cents[slot]! - high.cents[slot]!)
  }
  return least
}

/** The first edge in the order of evaluation, so that the lines behind its basis have no edge between the points. */
export function crossingOf(
  search: Pick<Search<Point>, 'edgesOf'>,
  low: Point,
  high: Point,
  last: Crossing | null,
): Crossing | null {
  for (const [rule, from] of low.readings) {
    const to = high.readings.get(rule) ?? null
    if (from === null && to === null) continue
    if (from === null || to === null) return HIDDEN
    const edge = search.edgesOf(rule).find((each) => compare(from, each) > 0 !== compare(to, each) > 0)
    if (edge) return { edge, share: shareOf(edge, from, to), turn: last?.edge === edge ? last.turn + 1 : 0 }
  }
  for (const rule of high.readings.keys()) if (!low.readings.has(rule)) return HIDDEN
  return null
}

const HIDDEN: Crossing = { edge: null, share: 0.5, turn: 0 }

const shareOf = (edge: Exact, from: Exact, to: Exact): number => (near(edge) - near(from)) / (near(to) - near(from))

/** The value as a double: it only guides the search. */
const near = ({ n, d, big }: Exact): number => (big ? Number(big.n) / Number(big.d) : n / d)
