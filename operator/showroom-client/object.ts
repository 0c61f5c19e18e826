import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../rate-set/object.ts'

/** One credential: exactly one of the three. */
export interface Credential {
  secretRef?: { name: string }
  jwks?: { keys: Record<string, unknown>[] }
  subject?: { issuer: string; subject: string }
}

export interface ShowroomClientSpec {
  displayName: string
  showroomCodes: string[]
  grants: string[]
  suspended?: boolean
  credentials: Credential[]
}

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
