import type { KubernetesObject } from '@kubernetes/client-node'
import { IDENTITY_ANNOTATION } from '#crds/showroom-client.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { KeptObject, Namespaces } from './backup-objects.ts'
import { stepFor, type Step } from './plan.ts'

const FIELD_MANAGER = 'driveaway-restore'

/** What a restore would do for each object, in the order of the backup; writes nothing. Throws KubeApiError. */
export async function planRestore(kube: Kube, places: Namespaces, objects: readonly KeptObject[]): Promise<Step[]> {
  const steps: Step[] = []
  for (const kept of objects) steps.push(stepFor(kept, await kube.get(referenceOf(kept, places))))
  return steps
}

/**
 * Executes the steps, including steps that `differs`. Throws KubeApiError; completed steps stay, and a second run finds
 * them done.
 */
export async function writeSteps(kube: Kube, places: Namespaces, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await writeStep(kube, places, step)
}

async function writeStep(kube: Kube, places: Namespaces, { kept, action, stored }: Step): Promise<void> {
  if (action === 'nothing') return
  const object = referenceOf(kept, places)
  const { uid, resourceVersion } = stored?.metadata ?? {}
  if (action === 'identify') {
    const identity = kept.object.metadata.annotations[IDENTITY_ANNOTATION]
    const metadata = { uid, resourceVersion, annotations: { [IDENTITY_ANNOTATION]: identity } }
    return void (await kube.patchMetadata(object, metadata, { fieldManager: FIELD_MANAGER }))
  }
  if (action === 'differs' && isWritable(kept, stored)) {
    const metadata = { ...object.metadata, uid, resourceVersion }
    return void (await kube.replace({ ...object, metadata }, { fieldManager: FIELD_MANAGER }))
  }
  if (action === 'differs')
    await kube.delete(object, { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) })
  await kube.create(object, { fieldManager: FIELD_MANAGER })
}

/** Whether the server allows an object to be overwritten: not an immutable one, and not a Secret of another type. */
function isWritable({ object }: KeptObject, stored: KubernetesObject | undefined): boolean {
  const { immutable, type } = (stored ?? {}) as { immutable?: boolean; type?: string }
  return immutable !== true && type === object.type
}

const referenceOf = ({ place, object }: KeptObject, places: Namespaces) => ({
  ...object,
  metadata: { ...object.metadata, namespace: places[place] },
})
