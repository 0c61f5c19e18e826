import type { Credential, ShowroomClientSpec } from '#crds/showroom-client.ts'
import type { Condition } from '../status/conditions.ts'
import type { ObjectMeta } from '../rate-set/object.ts'

export type { Credential, ShowroomClientSpec }

/** A ShowroomClient as the watch delivers it. */
export interface ShowroomClientObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  spec: ShowroomClientSpec
  status?: ShowroomClientStatus
}

export interface ShowroomClientStatus {
  observedGeneration: number
  conditions: Condition[]
}
