import type { V1ConfigMap } from '@kubernetes/client-node'
import type { ClientsIndex, RatesIndex } from '#rates/published/format.ts'
import { isConflict } from '#runtime/kube/api-error.ts'
import type { Cluster, Gathered } from './gather.ts'
import { keptFrom, readStamps } from './stamps.ts'

/** The shards that neither the index nor any release from `from` on needs; pure. */
export function outdated(shards: Iterable<V1ConfigMap>, needed: ReadonlySet<string>, from: number): V1ConfigMap[] {
  return [...shards].filter((shard) => {
    if (needed.has(shard.metadata?.name ?? '')) return false
    const last = readStamps(shard).reduce((highest, stamp) => Math.max(highest, stamp.sequence), 0)
    return last < from
  })
}

/** Removes what no release needs that is kept, each only as it was seen; returns how many. */
export async function prune<I extends RatesIndex | ClientsIndex>(
  cluster: Cluster,
  gathered: Gathered<I>,
  { now, needed, sequence }: { now: Date; needed: ReadonlySet<string>; sequence: number },
): Promise<number> {
  let removed = 0
  for (const shard of outdated(gathered.shards.values(), needed, keptFrom(gathered.stamps, sequence, now)))
    if (await removeAsSeen(cluster, shard)) removed++
  return removed
}

async function removeAsSeen({ kube, namespace }: Cluster, shard: V1ConfigMap): Promise<boolean> {
  const { name = '', uid = '', resourceVersion = '' } = shard.metadata ?? {}
  try {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }
    return await kube.delete(reference, { uid, resourceVersion })
  } catch (error) {
    // Somebody has stamped it since: it is needed again.
    if (isConflict(error)) return false
    throw error
  }
}
