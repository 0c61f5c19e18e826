import type { V1ConfigMap } from '@kubernetes/client-node'
import { INDEX_KEY, SHARD_KEY } from '#rates/published/config-map.ts'
import { CLIENTS_INDEX, RATES_INDEX } from '#rates/published/format.ts'
import { PublishedFault } from '#rates/published/shard-text.ts'
import { followPublicKeys, followSigningKeys } from './follow-keys.ts'
import { followObject, type Following } from './follow-object.ts'
import { ALL_PARTS, type Part } from './held.ts'
import { createClientsLoader } from './load-published.ts'
import { createRatesLoader } from './load-rates.ts'
import { createShardCache, type ReadShard } from './shard-cache.ts'
import type { ClusterSource, KubernetesSourceOptions } from './source.ts'

/**
 * Follows the two indexes and the keys in a cluster; when a newer version cannot be loaded, the loaded version stays.
 */
export function startKubernetesSource(options: KubernetesSourceOptions): ClusterSource {
  const { parts = ALL_PARTS, signs = true } = options
  const follow = {
    rates: () => [followRates(options)],
    clients: () => [followClients(options)],
    keys: () => (signs ? followSigningKeys(options) : [followPublicKeys(options)]),
  }
  const followed = parts.flatMap((part) => follow[part]())
  return {
    lastContact: () => earliest(followed.map((each) => each.lastContact())),
    stop: async () => void (await Promise.all(followed.map((each) => each.stop()))),
  }
}

function earliest(times: readonly (Date | undefined)[]): Date | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length < times.length || known.length === 0 ? undefined : new Date(Math.min(...known.map(Number)))
}

function followRates(options: KubernetesSourceOptions): Following {
  const { holder } = options
  const { shards, pages, unlessDamaged } = shardCaches(options)
  const load = createRatesLoader(shards.read, pages.read, options.clock)
  return followIndex(options, { part: 'rates', name: RATES_INDEX }, (text, signal) =>
    unlessDamaged(async () => {
      const rates = await load(text, holder.read().rates?.snapshot, signal)
      holder.swap({ rates })
      // Everything that could be read is served; the rest is reported and tried again.
      if (rates.fault) throw rates.fault
    }),
  )
}

function followClients(options: KubernetesSourceOptions): Following {
  const { shards, pages, unlessDamaged } = shardCaches(options)
  const load = createClientsLoader(shards.read, pages.read, options.clock)
  return followIndex(options, { part: 'clients', name: CLIENTS_INDEX }, (text, signal) =>
    unlessDamaged(async () => options.holder.swap({ clients: await load(text, signal) })),
  )
}

function shardCaches(options: KubernetesSourceOptions) {
  const readOne = shardReader(options)
  const [shards, pages] = [createShardCache(readOne), createShardCache(readOne)]
  /** Where a shard is damaged, the operator puts the right one in its place, under the same name: it is read again. */
  const unlessDamaged = async (load: () => Promise<void>) => {
    try {
      await load()
    } catch (error) {
      if (error instanceof PublishedFault && !error.missing) for (const cache of [shards, pages]) cache.forget()
      throw error
    }
  }
  return { shards, pages, unlessDamaged }
}

function followIndex(
  options: KubernetesSourceOptions,
  { part, name }: { part: Part; name: string },
  load: (text: string, signal: AbortSignal) => Promise<void>,
): Following {
  const textOf = (index: V1ConfigMap) => index.data?.[INDEX_KEY]
  return followObject(options, { part, name, load, textOf, kind: 'ConfigMap' })
}

/** A shard without an answer for this long is read again by the back-off; a good answer takes milliseconds. */
const ANSWER_MS = 5_000

/** Reads the text of a shard; undefined when the shard is gone, which means that the index is out of date. */
function shardReader({ kube, namespace }: KubernetesSourceOptions): ReadShard {
  return async (name, signal) => {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }
    const shard = await kube
      .get<V1ConfigMap>(reference, { timeoutMs: ANSWER_MS, ...(signal && { signal }) })
      .catch((error: unknown) => {
        if ((error as Error).name !== 'TimeoutError') throw error
        throw new Error(`${name} was not read: expected an answer within ${ANSWER_MS / 1000} s`, { cause: error })
      })
    return shard?.data?.[SHARD_KEY]
  }
}
