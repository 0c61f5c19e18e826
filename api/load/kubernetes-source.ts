import type { KubeConfig, V1ConfigMap, V1Secret } from '@kubernetes/client-node'
import type { Registry } from 'prom-client'
import { INDEX_KEY, SHARD_KEY } from '#rates/published/config-map.ts'
import { CLIENTS_INDEX, RATES_INDEX, SIGNING_KEYS_SECRET, type SigningKeys } from '#rates/published/format.ts'
import { isNotFound } from '#runtime/kube/api-error.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { startWatch } from '#runtime/kube/watch.ts'
import type { Logger } from '#runtime/log.ts'
import { importKeyRing } from '../auth/key-ring.ts'
import { ALL_PARTS, type Holder, type Part } from './held.ts'
import { createLatest } from './latest.ts'
import { loadClients } from './load-published.ts'
import { createRatesLoader } from './load-rates.ts'
import { createShardCache } from './shard-cache.ts'

export interface KubernetesSourceOptions {
  kubeConfig: KubeConfig
  namespace: string
  holder: Holder
  log: Logger
  registry?: Registry
  /** Default: all. */
  parts?: readonly Part[]
}

/** Something that keeps the holder up to date until it is stopped. */
export interface Source {
  stop(): Promise<void>
}

/** Follows the two indexes and the signing keys in a cluster, and keeps what is held when they cannot be loaded. */
export function startKubernetesSource(options: KubernetesSourceOptions): Source {
  const follow = { rates: followRates, clients: followClients, keys: followKeys }
  const followed = (options.parts ?? ALL_PARTS).map((part) => follow[part](options))
  return { stop: async () => void (await Promise.all(followed.map((each) => each.stop()))) }
}

function followRates(options: KubernetesSourceOptions): Source {
  const { holder } = options
  const load = createRatesLoader(createShardCache((name) => readShard(options, name)))
  return followIndex(options, { part: 'rates', name: RATES_INDEX }, async (text) => {
    holder.swap({ rates: await load(text, holder.read().rates?.snapshot) })
  })
}

function followClients(options: KubernetesSourceOptions): Source {
  const shards = createShardCache((name) => readShard(options, name))
  return followIndex(options, { part: 'clients', name: CLIENTS_INDEX }, async (text) => {
    options.holder.swap({ clients: await loadClients(text, shards) })
  })
}

interface Followed<T> {
  part: Part
  path: string
  name: string
  /** The text to load from an object; undefined when it holds none. */
  textOf: (object: T) => string | undefined
  load: (text: string) => Promise<void>
}

function followIndex(
  options: KubernetesSourceOptions,
  { part, name }: { part: Part; name: string },
  load: (text: string) => Promise<void>,
): Source {
  const textOf = (index: V1ConfigMap) => index.data?.[INDEX_KEY]
  return follow(options, { part, name, load, textOf, path: collection(options.namespace, 'configmaps') })
}

function followKeys(options: KubernetesSourceOptions): Source {
  return follow<V1Secret>(options, {
    part: 'keys',
    name: SIGNING_KEYS_SECRET,
    path: collection(options.namespace, 'secrets'),
    textOf: (secret) => secret.data?.['keys.json'] && Buffer.from(secret.data['keys.json'], 'base64').toString('utf8'),
    load: async (text) => options.holder.swap({ keys: await importKeyRing(JSON.parse(text) as SigningKeys) }),
  })
}

/** One object by name, watched alone, so that a Role may grant it by name; its deletion leaves what is held. */
function follow<T extends V1ConfigMap | V1Secret>(options: KubernetesSourceOptions, followed: Followed<T>): Source {
  const { kubeConfig, holder, log, registry } = options
  const { name, part, path } = followed
  const latest = createLatest<string>({
    load: followed.load,
    reread: async () => textIn(await requestKube<T>(kubeConfig, { path: `${path}/${name}` }), followed),
    onFault: (error) => holder.fail(part, error),
  })
  const watch = startWatch<T>({
    ...{ kubeConfig, path, log, fieldSelector: `metadata.name=${name}` },
    ...(registry && { registry }),
    onChange: (_key, object) => {
      if (!object) return holder.fail(part, new Error(`${name} was deleted; what it named last is still served`))
      latest.offer(textIn(object, followed))
    },
  })
  return { stop: async () => void (await Promise.all([watch.stop(), latest.stop()])) }
}

function textIn<T>(object: T, { textOf }: Followed<T>): string {
  // An object without content is a fault for the loader to find and report: it is no JSON.
  return textOf(object) ?? ''
}

async function readShard(
  { kubeConfig, namespace }: KubernetesSourceOptions,
  name: string,
): Promise<string | undefined> {
  try {
    const path = `${collection(namespace, 'configmaps')}/${encodeURIComponent(name)}`
    return (await requestKube<V1ConfigMap>(kubeConfig, { path })).data?.[SHARD_KEY]
  } catch (error) {
    // Gone means that the index is out of date: it is read again.
    if (isNotFound(error)) return undefined
    throw error
  }
}

function collection(namespace: string, resource: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/${resource}`
}
