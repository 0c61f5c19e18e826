import { CLIENTS_INDEX, HISTORY_SUFFIX, PUBLISHED_LABEL, RATES_INDEX } from '#rates/published/format.ts'
import type { ClientsIndex, RatesIndex } from '#rates/published/format.ts'
import { isConflict } from '#runtime/kube/api-error.ts'
import { FIELD_MANAGER, type Cluster } from '../cluster/cluster.ts'
import { isPublished } from './desired.ts'
import type { Computed } from './sources.ts'

/**
 * Somebody may delete the index again and again; after this many attempts the computed publication is written all the
 * same.
 */
const ATTEMPTS = 3

/**
 * Computes a publication that replaces what it has read. A creation has no precondition except absence: a delayed
 * creation could put an old index in place after others published and their index was deleted. Missing objects are
 * therefore created empty first, and the publication is computed again.
 */
export async function computeInPlace<I extends RatesIndex | ClientsIndex, C extends Computed<I>>(
  cluster: Cluster,
  compute: () => Promise<C>,
): Promise<C> {
  let computed = await compute()
  for (let attempt = 1; attempt < ATTEMPTS && (await makePlaces(cluster, computed)); attempt++)
    computed = await compute()
  return computed
}

/**
 * Creates index and history without content when they are missing and are about to be written; returns whether one was
 * created.
 */
async function makePlaces<I extends RatesIndex | ClientsIndex>(
  { kube, namespace }: Cluster,
  { desired, gathered }: Computed<I>,
): Promise<boolean> {
  if (!gathered.index && isPublished(desired, gathered)) return false
  const name = desired.index.kind === 'rates' ? RATES_INDEX : CLIENTS_INDEX
  const missing = [
    ...(gathered.storedHistory ? [] : [{ name: name + HISTORY_SUFFIX, labels: { [PUBLISHED_LABEL]: 'history' } }]),
    ...(gathered.stored ? [] : [{ name, labels: { [PUBLISHED_LABEL]: 'index' } }]),
  ]
  for (const metadata of missing) {
    const place = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, namespace } }
    await kube.create(place, { fieldManager: FIELD_MANAGER }).catch((error: unknown) => {
      // Another operator was faster.
      if (!isConflict(error)) throw error
    })
  }
  return missing.length > 0
}
