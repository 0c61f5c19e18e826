import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { RateSetStatus as Published } from '#crds/rate-set.ts'
import type { ObjectMeta } from '../cluster/cluster.ts'

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
