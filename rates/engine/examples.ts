import type { Example, RateSetSpec } from './grammar/rate-set.ts'
import type { Snapshot } from './snapshot.ts'

/** What a worked example gave: by component, dollars, `none` or `unpriced`. */
export interface ExampleResult {
  passed: boolean
  expected: Record<string, string>
  got: Record<string, string>
  /** Empty when it passed. */
  message: string
}

/** Prices one worked example with the set of `spec` in `snapshot`; also for sets that are not quotable. */
export function runExample(_example: Example, _spec: RateSetSpec, _snapshot: Snapshot): ExampleResult {
  throw new Error('no example can be priced yet')
}
