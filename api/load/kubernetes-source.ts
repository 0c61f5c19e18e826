import type { V1ConfigMap } from '@kubernetes/client-node'
import { INDEX_KEY, SHARD_KEY } from '#rates/published/config-map.ts'
import { CLIENTS_INDEX, RATES_INDEX } from '#rates/published/format.ts'
import { followPublicKeys, followSigningKeys } from './follow-keys.ts'
import { followObject, type Following } from './follow-object.ts'
import { ALL_PARTS, type Part } from './held.ts'
import { createClientsLoader } from './load-published.ts'
import { createRatesLoader } from './load-rates.ts'
import { createShardCache } from './shard-cache.ts'
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
  const readOne = (name: string) => readShard(options, name)
  const load = createRatesLoader(createShardCache(readOne), createShardCache(readOne), options.clock)
  return followIndex(options, { part: 'rates', name: RATES_INDEX }, async (text) => {
    const rates = await load(text, holder.read().rates?.snapshot)
    holder.swap({ rates })
    // Everything that could be read is served; the rest is reported and tried again.
    if (rates.fault) throw rates.fault
  })
}

function followClients(options: KubernetesSourceOptions): Following {
  const readOne = (name: string) => readShard(options, name)
  const load = createClientsLoader(createShardCache(readOne), createShardCache(readOne), options.clock)
  return followIndex(options, { part: 'clients', name: CLIENTS_INDEX }, async (text) => {
    options.holder.swap({ clients: await load(text) })
  })
}

function followIndex(
  options: KubernetesSourceOptions,
  { part, name }: { part: Part; name: string },
  load: (text: string) => Promise<void>,
): Following {
  const textOf = (index: V1ConfigMap) => index.data?.[INDEX_KEY]
  return followObject(options, { part, name, load, textOf, kind: 'ConfigMap' })
}

/** The text of a shard; undefined when the shard is gone, which means that the index is out of date. */
async function readShard({ kube, namespace }: KubernetesSourceOptions, name: string): Promise<string | undefined> {
  const shard = await kube.get<V1ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } })
  return shard?.data?.[SHARD_KEY]
}
