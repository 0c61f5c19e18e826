import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { Call as HttpCall, Operation as HttpOperation } from '../http/operation.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import type { ReleaseKeyRing } from '../load/follow-release-keys.ts'
import type { HeldRates } from '../load/held.ts'
import type { Bundles } from '../releases/bundles.ts'
import type { Releases } from '../releases/releases.ts'
import type { Reports } from './reports/reports.ts'
import type { CountUnpriced } from './unpriced-metric.ts'

/** The grant that every pricing operation requires. */
export const PRICING_GRANT = 'pricing:quote'

/** What an operation of pricing depends on. */
export interface Dependencies extends Reports {
  /** The snapshot that answers the whole call. */
  snapshot: Snapshot
  /** What this process uses now; `snapshot` is of these rates unless the caller asks for others. */
  rates: HeldRates
  /** The earlier releases, and the days for which each is kept after the next one. */
  releases: Releases
  keepDays: number
  /** Releases as signed files. */
  bundles: Bundles
  /** The address of this API, as its tokens name it. */
  issuer: string
  countUnpriced: CountUnpriced
  /** Where a sample of the priced requests is written. */
  decisions: DecisionLog
  /** The release keys of this moment. */
  releaseKeys: () => ReleaseKeyRing
  /** Milliseconds since the epoch. */
  clock: () => number
}

export type Call = HttpCall & Dependencies
export type Operation = HttpOperation<Dependencies>
