import { compare, type Exact } from './exact.ts'

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

/**
 * The highest point from `low` to `high` whose drive-away is not above `most`, or null. Nothing is taken to rise with
 * the line but what docs/decisions/0007 says: where no edge lies between two points, each charge moves one way.
 */
export function highestWithin<P extends Point>(search: Search<P>, low: P, high: P, guesses = 0): P | null {
  if (high.driveAway <= search.most) return high
  if (high.step - low.step <= 1) return low.driveAway <= search.most ? low : null
  const crossing = crossingOf(search, low, high)
  if (crossing === null && leastBetween(low, high) > search.most) return null
  // A guess is nearly always right; where the basis bends, halving gets there.
  const guess = guesses < 2 ? crossing : null
  const middle = search.at(between(low.step, high.step, guess ?? 0.5))
  const next = guess === null ? 0 : guesses + 1
  return highestWithin(search, middle, high, next) ?? highestWithin(search, low, middle, next)
}

/** A whole step strictly between two. A share is a double: it may be a hair below the edge it was made from. */
function between(low: number, high: number, share: number): number {
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

/** How much of the way from one point to another an edge lies, guessed from the basis; null where there is none between. */
function crossingOf<P extends Point>(search: Search<P>, low: P, high: P): number | null {
  // In the order of evaluation: what the first basis across an edge is computed on has no edge between.
  for (const [rule, from] of low.readings) {
    const to = high.readings.get(rule) ?? null
    if (from === null && to === null) continue
    if (from === null || to === null) return 0.5
    const edge = search.edgesOf(rule).find((each) => compare(from, each) > 0 !== compare(to, each) > 0)
    if (edge) return shareOf(edge, from, to)
  }
  for (const rule of high.readings.keys()) if (!low.readings.has(rule)) return 0.5
  return null
}

const shareOf = (edge: Exact, from: Exact, to: Exact): number => (near(edge) - near(from)) / (near(to) - near(from))

/** As a double: it says only where to look next. */
const near = ({ n, d, big }: Exact): number => (big ? Number(big.n) / Number(big.d) : n / d)
