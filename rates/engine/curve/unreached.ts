/** Cents, both inclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

interface Total {
  readonly value: number
  readonly driveAway: number
}

/**
 * The totals within the jump at an edge that no other part of the curve produces. Between two edges, drive-away is
 * assumed to take every value from its least to its greatest total: the steps of a charge "per $200 or part" are not
 * jumps.
 */
export function unreachedBy(points: readonly Total[], edges: readonly (readonly [Total, Total])[]): Span[] {
  const reached = piecesOf(points, edges)
  const jumps = edges.map(([below, above]) => spanBetween(below.driveAway, above.driveAway))
  return jumps.flatMap((jump) => reached.reduce((left, piece) => left.flatMap((span) => without(span, piece)), [jump]))
}

const spanBetween = (a: number, b: number): Span => ({ from: Math.min(a, b) + 1, to: Math.max(a, b) - 1 })

/** The totals that the curve produces between each edge and the next. */
function piecesOf(points: readonly Total[], edges: readonly (readonly [Total, Total])[]): Span[] {
  const ends = [...edges.map(([below]) => below.value), Infinity]
  const pieces = Map.groupBy(points, ({ value }) => ends.findIndex((end) => value <= end))
  return [...pieces.values()].map((piece) => {
    const totals = piece.map(({ driveAway }) => driveAway)
    return { from: Math.min(...totals), to: Math.max(...totals) }
  })
}

/** The parts of a span outside another; empty parts are omitted. */
function without({ from, to }: Span, reached: Span): Span[] {
  const parts = [
    { from, to: Math.min(to, reached.from - 1) },
    { from: Math.max(from, reached.to + 1), to },
  ]
  return (reached.to < from || reached.from > to ? [{ from, to }] : parts).filter((part) => part.from <= part.to)
}
