import type { TypedChange } from '#rates/diff/typed-changes.ts'
import type { LoadedSet } from '#rates/engine/compile/compile.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { OfferedJurisdiction } from '#rates/offered/describe.ts'

/** What is computed once from the rates of one release. */
export interface Report {
  /** By pricing code, in the order of the codes. */
  jurisdictions: readonly OfferedJurisdiction[]
  /** By pricing code and day. */
  changes: readonly TypedChange[]
}

/**
 * Messages to the thread: each rate set, then the release that they form. To compare two releases: each set of the later
 * one, each of the earlier one, or its name where it is the same in both, then the end.
 */
export type ToThread = { set: LoadedSet } | { earlier: RateSetSpec | string } | { release: string } | { compare: true }

/** Messages from the thread: the parts of the report one by one, then the end. */
export type FromThread = { changes: TypedChange[] } | { jurisdiction: OfferedJurisdiction } | { done: true }
