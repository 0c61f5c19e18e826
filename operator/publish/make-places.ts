import type { KubernetesObject } from '@kubernetes/client-node'
import { HISTORY_SUFFIX, PUBLISHED_LABEL, RATES_INDEX } from '#rates/published/format.ts'
import type { ClientsIndex, RatesIndex } from '#rates/published/format.ts'
import { isConflict } from '#runtime/kube/api-error.ts'
import { FIELD_MANAGER, type Cluster } from '../cluster/cluster.ts'
import type { WrittenIndex } from './apply.ts'
import { isPublished } from './desired.ts'
import type { Gathered } from './gather.ts'
import type { Computed } from './sources.ts'

/**
 * Somebody may delete the index again and again; after this many attempts the computed publication is written all the
 * same.
 */
const ATTEMPTS = 3

/** Where the empty index and history of one kind are made. */
export interface Places {
  cluster: Cluster
  /** Name of the index. */
  name: string
  /** Called with the empty index before and after it is made, so that its event counts as no change. */
  onWritten: (written: WrittenIndex | undefined) => void
}

/**
 * Computes a publication of the rates that replaces what it has read. A creation has no precondition except absence: a
 * delayed creation could put an old index in place after others published and their index was deleted. Missing objects
 * are therefore created empty first, and the publication is computed again.
 */
export async function computeInPlace<C extends Computed<RatesIndex>>(
  places: Places & { name: typeof RATES_INDEX },
  compute: () => Promise<C>,
): Promise<C> {
  let computed = await compute()
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const { desired, gathered } = computed
    // An empty index that stays would be reported as a fault by each reader.
    const isNotWritten = !gathered.index && isPublished(desired, gathered)
    if (isNotWritten || !(await makePlaces(places, gathered))) break
    computed = await compute()
  }
  return computed
}

/** Gathers what is published, as `computeInPlace` does: for an index that is written in any case, before anything else. */
export async function gatherInPlace<I extends RatesIndex | ClientsIndex>(
  places: Places,
  gather: () => Promise<Gathered<I>>,
): Promise<Gathered<I>> {
  let gathered = await gather()
  for (let attempt = 1; attempt < ATTEMPTS && (await makePlaces(places, gathered)); attempt++) gathered = await gather()
  return gathered
}

/** Creates index and history without content when they are missing; returns whether one was. */
async function makePlaces(
  { cluster, name, onWritten }: Places,
  { stored, storedHistory }: Pick<Gathered<unknown>, 'stored' | 'storedHistory'>,
): Promise<boolean> {
  if (!storedHistory) await makePlace(cluster, { name: name + HISTORY_SUFFIX, label: 'history' })
  if (!stored) {
    onWritten({ text: undefined })
    const made = await makePlace(cluster, { name, label: 'index' }).catch((error: unknown) => {
      onWritten(undefined)
      throw error
    })
    onWritten(made && { text: undefined, resourceVersion: made.metadata?.resourceVersion })
  }
  return !stored || !storedHistory
}

/** Returns nothing when another operator was faster. */
function makePlace(
  { kube, namespace }: Cluster,
  { name, label }: { name: string; label: string },
): Promise<KubernetesObject | undefined> {
  const metadata = { name, labels: { [PUBLISHED_LABEL]: label }, namespace }
  const place = { apiVersion: 'v1', kind: 'ConfigMap', metadata }
  return kube.create<KubernetesObject>(place, { fieldManager: FIELD_MANAGER }).catch((error: unknown) => {
    if (!isConflict(error)) throw error
    return undefined
  })
}
