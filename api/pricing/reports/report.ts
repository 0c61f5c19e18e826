import type { TypedChange } from '#rates/diff/typed-changes.ts'
import type { LoadedSet } from '#rates/engine/compile/compile.ts'
import type { OfferedJurisdiction } from '#rates/offered/describe.ts'

/** What is computed of the rates of one release, once. */
export interface Report {
  /** By pricing code, in the order of the codes. */
  jurisdictions: readonly OfferedJurisdiction[]
  /** By pricing code and day. */
  changes: readonly TypedChange[]
}

/** What the thread is told: the rate sets one by one, and the release that they make, which is the last message. */
export type ToThread = { set: LoadedSet } | { release: string }

/** What the thread says: the parts of the report one by one, and the end. */
export type FromThread = { changes: TypedChange[] } | { jurisdiction: OfferedJurisdiction } | { done: true }
