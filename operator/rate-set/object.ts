import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Condition } from '../conditions.ts'

export const GROUP = 'rates.driveaway.dev'
export const API_VERSION = `${GROUP}/v1alpha1`

/** Metadata of a custom resource as the API server always fills it in. */
export interface ObjectMeta {
  name: string
  namespace: string
  uid: string
  generation: number
  resourceVersion: string
  /** ISO text, though client-node's types say Date. */
  creationTimestamp?: Date
}

/** A RateSet as the watch delivers it. */
export interface RateSetObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  spec: RateSetSpec
  status?: RateSetStatus
}

export interface RateSetStatus {
  observedGeneration: number
  conditions: Condition[]
  /** Attested digest of what is published of this set. */
  digest?: string
  /** Its first 12 hex digits, for tables. */
  shortDigest?: string
  /** The release that brought this digest in. */
  release?: string
  /** `summary` is both figures, for tables. */
  examples: { passed: number; total: number; summary: string }
  covered?: { startDate: string; endDate: string }
  /** Figures of each evidence grade. */
  evidence: Record<string, number>
}
