import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '@kubernetes/client-node'
import { IDENTITY_ANNOTATION } from '#crds/showroom-client.ts'
import type { KeptObject, Restorable } from './kept.ts'

/** What is to be done for one object of a backup. */
export interface Step {
  kept: KeptObject
  /** `differs`: something else of that name is there, and is to stay unless somebody says otherwise. */
  action: 'create' | 'identify' | 'nothing' | 'differs'
  /** The object that is there, with the version that was read. */
  stored?: KubernetesObject
}

/** What is to be done for one object, by what is there; pure. */
export function stepFor(kept: KeptObject, stored: KubernetesObject | undefined): Step {
  if (!stored) return { kept, action: 'create' }
  if (kept.object.kind === 'ShowroomClient')
    return { kept, action: isIdentified(kept, stored) ? 'nothing' : 'identify', stored }
  const { data, type } = stored as Partial<Restorable>
  const isSame = isDeepStrictEqual(data ?? {}, kept.object.data ?? {}) && type === kept.object.type
  return { kept, action: isSame ? 'nothing' : 'differs', stored }
}

/** Whether a client that is there already continues the one of the backup, or is it. Its spec is Git's affair. */
function isIdentified({ object }: KeptObject, { metadata }: KubernetesObject): boolean {
  const identity = object.metadata.annotations[IDENTITY_ANNOTATION]
  return (metadata?.annotations?.[IDENTITY_ANNOTATION] ?? metadata?.uid) === identity
}
