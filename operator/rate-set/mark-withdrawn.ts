import type { V1ConfigMap } from '@kubernetes/client-node'
import { isConflict, isNotFound } from '#runtime/kube/api-error.ts'
import { FIELD_MANAGER, type Cluster } from '../cluster/cluster.ts'
import { WITHDRAWN_LABEL } from '../publish/stamps.ts'

/**
 * Marks the shards of withdrawn sets. Where index, history and the object are all gone, the shards alone tell what was
 * published: without the mark, a set that somebody withdrew would come back. A shard that is published again loses its mark.
 */
export async function markWithdrawn(
  { kube, namespace }: Cluster,
  shards: ReadonlyMap<string, V1ConfigMap>,
  withdrawn: readonly string[],
): Promise<void> {
  for (const [name, { metadata }] of shards) {
    const isMarked = metadata?.labels?.[WITHDRAWN_LABEL] !== undefined
    if (isMarked || !withdrawn.includes(setOf(name))) continue
    const { uid, resourceVersion } = metadata ?? {}
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }
    const marked = { uid, resourceVersion, labels: { [WITHDRAWN_LABEL]: 'true' } }
    await kube.patchMetadata(reference, marked, { fieldManager: FIELD_MANAGER }).catch((error: unknown) => {
      // It is gone, or somebody has claimed it since; the next run looks again.
      if (!isConflict(error) && !isNotFound(error)) throw error
    })
  }
}

/** The set that a shard is of, by the shard's name. */
const setOf = (shard: string): string => shard.replace(/^rates(-v\d+)?-/, '').replace(/-[0-9a-f]+$/, '')
