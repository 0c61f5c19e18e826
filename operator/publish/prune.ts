import type { V1ConfigMap } from '@kubernetes/client-node'
import type { ClientsIndex, RatesIndex } from '#rates/published/format.ts'
import { namesOf } from '#rates/published/history.ts'
import { isConflict } from '#runtime/kube/api-error.ts'
import { TIDY_MS, type Cluster } from '../cluster/cluster.ts'
import type { Gathered } from './gather.ts'
import { keptBy, type History } from './history.ts'
import { sequenceOf } from './stamps.ts'

/** The shards that are not in `names` and that belong to no publication from `from` on. Pure. */
export function outdated(
  shards: Iterable<V1ConfigMap>,
  { names, from }: { names: ReadonlySet<string>; from: number },
): V1ConfigMap[] {
  return [...shards].filter((shard) => !names.has(shard.metadata?.name ?? '') && sequenceOf(shard) < from)
}

interface Pruning<I> {
  index: I
  history: History<I> | undefined
  now: Date
  /** Ends early when something more urgent waits; the next run continues. */
  isOvertaken?: (() => boolean) | undefined
}

/** Deletes what no kept publication needs, each object only in the version that was read; returns the number. */
export async function prune<I extends RatesIndex | ClientsIndex>(
  cluster: Cluster,
  { shards }: Gathered<I>,
  { index, history, now, isOvertaken }: Pruning<I>,
): Promise<number> {
  if (!history) return 0
  const kept = keptBy(history, now)
  for (const name of namesOf(index)) kept.names.add(name)
  let removed = 0
  for (const shard of outdated(shards.values(), kept)) {
    if (isOvertaken?.()) break
    if (await removeAsSeen(cluster, shard)) removed++
  }
  return removed
}

async function removeAsSeen({ kube, namespace }: Cluster, shard: V1ConfigMap): Promise<boolean> {
  const { name = '', uid = '', resourceVersion = '' } = shard.metadata ?? {}
  try {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }
    return await kube.delete(reference, { uid, resourceVersion }, { timeoutMs: TIDY_MS })
  } catch (error) {
    // Another operator has claimed the shard since, so it is needed again.
    if (isConflict(error)) return false
    throw error
  }
}
