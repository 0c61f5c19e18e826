import type { V1ConfigMap } from '@kubernetes/client-node'
import { isConflict, isNotFound } from '#runtime/kube/api-error.ts'
import { FIELD_MANAGER, TIDY_MS, type Cluster } from '../cluster/cluster.ts'
import { shardIn } from '../publish/rebuild-from-shards.ts'
import { WITHDRAWN_LABEL } from '../publish/stamps.ts'

/**
 * Labels the shards of withdrawn sets. When the index, its history and the object are all gone, only the shards show
 * what was published; without the label, a withdrawn set would return. A shard that is published again loses the label.
 */
export async function markWithdrawn(
  { kube, namespace }: Cluster,
  shards: ReadonlyMap<string, V1ConfigMap>,
  withdrawn: readonly string[],
): Promise<void> {
  for (const [name, shard] of shards) {
    const { metadata } = shard
    const isMarked = metadata?.labels?.[WITHDRAWN_LABEL] !== undefined
    if (isMarked || !isOfOne(withdrawn, name, shard)) continue
    const { uid, resourceVersion } = metadata ?? {}
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }
    const marked = { uid, resourceVersion, labels: { [WITHDRAWN_LABEL]: 'true' } }
    const options = { fieldManager: FIELD_MANAGER, timeoutMs: TIDY_MS }
    await kube.patchMetadata(reference, marked, options).catch((error: unknown) => {
      // The shard was deleted or changed meanwhile; the next run tries again.
      if (!isConflict(error) && !isNotFound(error)) throw error
    })
  }
}

/** Whether a shard belongs to one of these sets. Only a shard with such a name is parsed. */
function isOfOne(sets: readonly string[], name: string, shard: V1ConfigMap): boolean {
  if (!sets.some((set) => name.includes(set))) return false
  const of = shardIn(shard)?.of
  return of !== undefined && sets.includes(of)
}
