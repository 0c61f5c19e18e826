import type { Credential, ShowroomClientSpec } from '#crds/showroom-client.ts'
import type { ObjectMeta } from '../cluster/cluster.ts'
import type { Condition } from '../status/conditions.ts'

export type { Credential, ShowroomClientSpec }

/** A ShowroomClient as the watch delivers it. */
export interface ShowroomClientObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  spec: ShowroomClientSpec
  status?: ShowroomClientStatus
}

/** Whether somebody deleted the client and a finalizer still keeps its object: whoever deletes it takes all rights away. */
export const isBeingDeleted = ({ metadata }: Pick<ShowroomClientObject, 'metadata'>): boolean =>
  metadata.deletionTimestamp !== undefined

export interface ShowroomClientStatus {
  observedGeneration: number
  conditions: Condition[]
}

/** The reason of `Published` where what was published can be read nowhere. */
export const CONTENT_LOST = 'ContentLost'

/** Whether a status says that what was published is lost; the object still has to be corrected where it is at fault. */
export function saysLost(status: ShowroomClientStatus | undefined): boolean {
  return status?.conditions.some(({ type, reason }) => type === 'Published' && reason === CONTENT_LOST) ?? false
}
