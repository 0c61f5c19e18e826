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

/** Whether the client was deleted and a finalizer still keeps its object; deletion removes all rights. */
export const isBeingDeleted = ({ metadata }: Pick<ShowroomClientObject, 'metadata'>): boolean =>
  metadata.deletionTimestamp !== undefined

export interface ShowroomClientStatus {
  observedGeneration: number
  conditions: Condition[]
}

/** The reason of `Published` when the published binding cannot be read anywhere. */
export const CONTENT_LOST = 'ContentLost'

/** Whether a status reports a lost binding; an object with faults must still be corrected. */
export function saysLost(status: ShowroomClientStatus | undefined): boolean {
  return status?.conditions.some(({ type, reason }) => type === 'Published' && reason === CONTENT_LOST) ?? false
}

/** The names of the Secrets of a client. */
export const secretNames = ({ spec }: ShowroomClientObject): string[] =>
  spec.credentials.flatMap(({ secretRef }) => secretRef?.name ?? [])
