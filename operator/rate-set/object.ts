import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { RateSetStatus as Published } from '#crds/rate-set.ts'

/** Metadata of a custom resource as the API server always fills it in. */
export interface ObjectMeta {
  name: string
  namespace: string
  uid: string
  generation: number
  resourceVersion: string
  annotations?: Record<string, string>
  /** ISO text, though client-node's types say Date. */
  creationTimestamp?: Date
  /** Set once somebody deleted the object, for as long as a finalizer keeps it. */
  deletionTimestamp?: Date
}

/** A RateSet as the watch delivers it. */
export interface RateSetObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  spec: RateSetSpec
  status?: RateSetStatus
}

/** What this operator writes: of the optional fields of the kind, those that it always fills in. */
export type RateSetStatus = Published & Required<Pick<Published, 'observedGeneration' | 'conditions' | 'examples'>>
