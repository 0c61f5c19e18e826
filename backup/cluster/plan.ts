import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '@kubernetes/client-node'
import { IDENTITY_ANNOTATION } from '#crds/showroom-client.ts'
import type { KeptObject, Restorable } from './backup-objects.ts'

/** What to do for one object of a backup. */
export interface Step {
  kept: KeptObject
  /** `differs`: another object of that name exists, and stays unless the user says otherwise. */
  action: 'create' | 'identify' | 'nothing' | 'differs'
  /** The existing object, with the version that was read. */
  stored?: KubernetesObject
}

/** Decides what to do for one object, given the existing one; pure. */
export function stepFor(kept: KeptObject, stored: KubernetesObject | undefined): Step {
  if (!stored) return { kept, action: 'create' }
  if (kept.object.kind === 'ShowroomClient')
    return { kept, action: isIdentified(kept, stored) ? 'nothing' : 'identify', stored }
  const { data, type } = stored as Partial<Restorable>
  const isSame = isDeepStrictEqual(data ?? {}, kept.object.data ?? {}) && type === kept.object.type
  return { kept, action: isSame ? 'nothing' : 'differs', stored }
}

/** Whether an existing client is that of the backup or continues its identity. Its spec comes from Git. */
function isIdentified({ object }: KeptObject, { metadata }: KubernetesObject): boolean {
  const identity = object.metadata.annotations[IDENTITY_ANNOTATION]
  return (metadata?.annotations?.[IDENTITY_ANNOTATION] ?? metadata?.uid) === identity
}
