import type { Kube } from '#runtime/kube/kube.ts'
import { IDENTITY_ANNOTATION, type KeptObject, type Namespaces } from './kept.ts'
import { stepFor, type Step } from './plan.ts'

const FIELD_MANAGER = 'driveaway-restore'

/** What a restore would do, object by object, in the order of the backup; nothing is written. Throws KubeApiError. */
export async function planRestore(kube: Kube, places: Namespaces, objects: readonly KeptObject[]): Promise<Step[]> {
  const steps: Step[] = []
  for (const kept of objects) steps.push(stepFor(kept, await kube.get(referenceOf(kept, places))))
  return steps
}

/** Does what the steps say; a step that `differs` is done too. Throws KubeApiError: what was done stays, and is found done. */
export async function writeSteps(kube: Kube, places: Namespaces, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await writeStep(kube, places, step)
}

async function writeStep(kube: Kube, places: Namespaces, { kept, action, stored }: Step): Promise<void> {
  if (action === 'nothing') return
  const wanted = referenceOf(kept, places)
  const { uid, resourceVersion } = stored?.metadata ?? {}
  if (action === 'identify') {
    const identity = kept.object.metadata.annotations[IDENTITY_ANNOTATION]
    const metadata = { uid, resourceVersion, annotations: { [IDENTITY_ANNOTATION]: identity } }
    return void (await kube.patchMetadata(wanted, metadata, { fieldManager: FIELD_MANAGER }))
  }
  // A Secret of another type, or an immutable one, can only be replaced.
  if (action === 'differs')
    await kube.delete(wanted, { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) })
  await kube.create(wanted, { fieldManager: FIELD_MANAGER })
}

const referenceOf = ({ place, object }: KeptObject, places: Namespaces) => ({
  ...object,
  metadata: { ...object.metadata, namespace: places[place] },
})

/** `Secret driveaway-clients/northside`. */
export const nameOf = ({ place, object }: KeptObject, places: Namespaces): string =>
  `${object.kind} ${places[place]}/${object.metadata.name}`
