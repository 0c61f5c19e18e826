import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'

export type Place = readonly (string | number)[]

/** What a proof looks at: the set, its mutant, and where they differ. */
export interface Difference {
  spec: RateSetSpec
  mutant: RateSetSpec
  imports: readonly RateSetSpec[]
  place: Place
  /** The first of two neighbours that changed places; undefined for every other mutation. */
  swapped: number | undefined
}

/** Why no quote can tell the two apart; undefined where that is not proved. */
export type Proof = (difference: Difference) => string | undefined

/** What stands at a place of a set. */
export const valueAt = (spec: RateSetSpec, place: Place): unknown =>
  place.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], spec)

/** The two neighbours of a swap, as they stand in the set. */
export function neighbours<T>({ spec, place, swapped = 0 }: Difference): [T, T] {
  const list = valueAt(spec, place) as T[]
  return [list[swapped]!, list[swapped + 1]!]
}

/** The postcodes of a range such as `3000-3006`, or the one that stands alone. */
export function eachPostcode(range: string): number[] {
  const [low = 0, high = low] = range.split('-').map(Number)
  return Array.from({ length: high - low + 1 }, (_, at) => low + at)
}
