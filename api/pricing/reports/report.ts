import type { TypedChange } from '#rates/diff/typed-changes.ts'
import type { LoadedSet } from '#rates/engine/compile/compile.ts'
import type { OfferedJurisdiction } from '#rates/offered/describe.ts'

/** What is computed once from the rates of one release. */
export interface Report {
  /** By pricing code, in the order of the codes. */
  jurisdictions: readonly OfferedJurisdiction[]
  /** By pricing code and day. */
  changes: readonly TypedChange[]
}

/** Messages to the thread: each rate set, then the release that they form. */
export type ToThread = { set: LoadedSet } | { release: string }

/** Messages from the thread: the parts of the report one by one, then the end. */
export type FromThread = { changes: TypedChange[] } | { jurisdiction: OfferedJurisdiction } | { done: true }
