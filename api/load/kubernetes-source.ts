import type { V1ConfigMap, V1Secret } from '@kubernetes/client-node'
import type { Registry } from 'prom-client'
import { INDEX_KEY, SHARD_KEY } from '#rates/published/config-map.ts'
import { CLIENTS_INDEX, RATES_INDEX, SIGNING_KEYS_SECRET, type SigningKeys } from '#rates/published/format.ts'
import type { Clock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { startWatch } from '#runtime/kube/watch.ts'
import type { Logger } from '#runtime/log.ts'
import { importKeyRing } from '../auth/key-ring.ts'
import { ALL_PARTS, type Holder, type Part } from './held.ts'
import { createLatest } from './latest.ts'
import { loadClients } from './load-published.ts'
import { createRatesLoader } from './load-rates.ts'
import { createShardCache } from './shard-cache.ts'

export interface KubernetesSourceOptions {
  kube: Kube
  namespace: string
  holder: Holder
  log: Logger
  registry?: Registry
  /** Default: all. */
  parts?: readonly Part[]
  clock?: Clock
  random?: () => number
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
  const readOne = (name: string) => readShard(options, name)
  const load = createRatesLoader(createShardCache(readOne), createShardCache(readOne))
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
  kind: 'ConfigMap' | 'Secret'
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
  return follow(options, { part, name, load, textOf, kind: 'ConfigMap' })
}

function followKeys(options: KubernetesSourceOptions): Source {
  return follow<V1Secret>(options, {
    part: 'keys',
    name: SIGNING_KEYS_SECRET,
    kind: 'Secret',
    textOf: (secret) => secret.data?.['keys.json'] && Buffer.from(secret.data['keys.json'], 'base64').toString('utf8'),
    load: async (text) => options.holder.swap({ keys: await importKeyRing(JSON.parse(text) as SigningKeys) }),
  })
}

/** One object by name, watched alone, so that a Role may grant it by name; its deletion leaves what is held. */
function follow<T extends V1ConfigMap | V1Secret>(options: KubernetesSourceOptions, followed: Followed<T>): Source {
  const { kube, namespace, holder, log, registry, clock, random } = options
  const { name, part, kind } = followed
  const given = { ...(clock && { clock }), ...(random && { random }) }
  const latest = createLatest<string>({
    ...given,
    load: followed.load,
    reread: async () => textIn(await readNow<T>(options, followed), followed),
    onFault: (error) => holder.fail(part, error),
  })
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/${kind === 'Secret' ? 'secrets' : 'configmaps'}`
  const watch = startWatch<T>({
    ...{ ...given, kube, path, log, fieldSelector: `metadata.name=${name}` },
    ...(registry && { registry }),
    onChange: (_key, object) => {
      if (!object) return holder.fail(part, new Error(`${name} was deleted; what it named last is still served`))
      latest.offer(textIn(object, followed))
    },
  })
  return { stop: async () => void (await Promise.all([watch.stop(), latest.stop()])) }
}

async function readNow<T extends V1ConfigMap | V1Secret>(
  { kube, namespace }: KubernetesSourceOptions,
  { kind, name }: Followed<T>,
): Promise<T> {
  const object = await kube.get<T>({ apiVersion: 'v1', kind, metadata: { name, namespace } })
  if (!object) throw new Error(`${kind} ${name} does not exist`)
  return object
}

function textIn<T>(object: T, { textOf }: Followed<T>): string {
  // An object without content is a fault for the loader to find and report: it is no JSON.
  return textOf(object) ?? ''
}

/** The text of a shard; undefined where it is gone, which means that the index is out of date. */
async function readShard({ kube, namespace }: KubernetesSourceOptions, name: string): Promise<string | undefined> {
  const shard = await kube.get<V1ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } })
  return shard?.data?.[SHARD_KEY]
}
