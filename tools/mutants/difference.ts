import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'

export type Place = readonly (string | number)[]

/** The input of a proof: the set, its mutant, and where they differ. */
export interface Difference {
  spec: RateSetSpec
  mutant: RateSetSpec
  imports: readonly RateSetSpec[]
  place: Place
  /** The position of the first of two swapped neighbours; undefined for other mutations. */
  swapped: number | undefined
}

/** Why no quote can distinguish the two; undefined when that is not proved. */
export type Proof = (difference: Difference) => string | undefined

/** The value at a place in a set. */
export const valueAt = (spec: RateSetSpec, place: Place): unknown =>
  place.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], spec)

/** The two swapped neighbours, in their original order. */
export function neighbours<T>({ spec, place, swapped = 0 }: Difference): [T, T] {
  const list = valueAt(spec, place) as T[]
  return [list[swapped]!, list[swapped + 1]!]
}

/** The postcodes of a range such as `3000-3006`, or a single postcode. */
export function eachPostcode(range: string): number[] {
  const [low = 0, high = low] = range.split('-').map(Number)
  return Array.from({ length: high - low + 1 }, (_, at) => low + at)
}
