import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { Call as HttpCall, Operation as HttpOperation } from '../http/operation.ts'
import type { ReleaseKeyRing } from '../load/follow-release-keys.ts'
import type { ReportOf } from './reports/reports.ts'
import type { CountUnpriced } from './unpriced-metric.ts'

/** The grant that every operation of pricing asks of its caller. */
export const PRICING_GRANT = 'pricing:quote'

/** What an operation of pricing depends on. */
export interface Dependencies {
  /** The one snapshot that answers a call from start to end. */
  snapshot: Snapshot
  countUnpriced: CountUnpriced
  reportOf: ReportOf
  /** The release keys as they are now. */
  releaseKeys: () => ReleaseKeyRing
  /** Milliseconds since the epoch. */
  clock: () => number
}

export type Call = HttpCall & Dependencies
export type Operation = HttpOperation<Dependencies>
