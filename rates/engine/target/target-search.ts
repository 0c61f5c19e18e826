import { compare, type Exact } from '../exact.ts'

/** One evaluation of the engine. All money is cents. */
export interface Point {
  /** Which multiple of the increment the line was at. */
  readonly step: number
  readonly driveAway: number
  /** By component slot; 0 where there is no line. */
  readonly cents: readonly number[]
  /** By rule, in the order of evaluation: what its basis came to. */
  readonly readings: ReadonlyMap<object, Exact | null>
}

/** What is searched: `at` evaluates the engine, `edgesOf` gives the edges of a rule, the highest first. */
export interface Search<P extends Point> {
  readonly most: number
  readonly at: (step: number) => P
  readonly edgesOf: (rule: object) => readonly Exact[]
}

/** An edge between two points, or what may hide one. */
export interface Crossing {
  /** Null where none can be named. */
  readonly edge: Exact | null
  /** How much of the way from one point to the other it lies, guessed from the basis. */
  readonly share: number
  /** How often it was looked for. */
  readonly turn: number
}

/**
 * The highest point from `low` to `high` whose drive-away is not above `most`, or null. Nothing is taken to rise with
 * the line but what docs/decisions/0007 says: where no edge lies between two points, each charge moves one way.
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
 * A whole step strictly between two: where an edge is guessed to be, else half-way. A guess is exact where the basis is
 * linear; where it bends, two guesses and four halvings in turn get there.
 */
export function between(low: number, high: number, crossing: Crossing | null): number {
  const share = crossing !== null && crossing.turn % 6 < 2 ? crossing.share : 0.5
  // A share is a double: it may be a hair below the edge it was made from.
  const step = low + Math.floor((high - low) * share + 1e-6)
  return Math.min(high - 1, Math.max(low + 1, step))
}

/** No drive-away between two points is below this, provided that each charge moves one way from the one to the other. */
function leastBetween(low: Point, high: Point): number {
  let least = low.driveAway
  for (let slot = 0; slot < low.cents.length; slot++) {
    least -= Math.max(0, low.cents[slot]! - high.cents[slot]!)
  }
  return least
}

/** The first edge, in the order of evaluation: what its basis is computed on has no edge between. */
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

/** As a double: it says only where to look next. */
const near = ({ n, d, big }: Exact): number => (big ? Number(big.n) / Number(big.d) : n / d)
