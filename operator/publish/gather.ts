import type { V1ConfigMap } from '@kubernetes/client-node'
import { INDEX_KEY, SHARD_KEY } from '#rates/published/config-map.ts'
import type { ClientsIndex, RatesIndex } from '#rates/published/format.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { readStamps, type Stamp } from './stamps.ts'

/** Where the operator works. */
export interface Cluster {
  kube: Kube
  namespace: string
}

/** How one kind of index is named, read and rebuilt. */
export interface IndexKind<I extends RatesIndex | ClientsIndex> {
  name: string
  /** Throws when the text is not an index that holds together. */
  parse: (text: string) => I
  rebuild: (stamps: readonly Stamp[], isThere: (shard: string) => boolean) => I | undefined
  shardNames: (index: I) => string[]
}

/** All that is published of one kind, read into one value. */
export interface Gathered<I> {
  /** The index object as stored; absent when there is none. */
  stored: { uid: string; resourceVersion: string } | undefined
  /** What is published; absent before the first publication. */
  index: I | undefined
  /** Whether the index had to be put together from the shards' stamps. */
  isRebuilt: boolean
  /** By name, what the cache holds and what the index names. */
  shards: ReadonlyMap<string, V1ConfigMap>
  stamps: Stamp[]
  nextSequence: number
}

/** Reads the index itself, because a cache may be behind our own last write; shards are immutable and may be cached. */
export async function gather<I extends RatesIndex | ClientsIndex>(
  cluster: Cluster,
  kind: IndexKind<I>,
  cached: Iterable<V1ConfigMap>,
): Promise<Gathered<I>> {
  const object = await readConfigMap(cluster, kind.name)
  const shards = new Map([...cached].map((shard) => [shard.metadata?.name ?? '', shard]))
  const read = parsed(kind, object)
  if (read) await fetchMissing(cluster, shards, kind.shardNames(read))
  const stamps = [...shards.values()].flatMap(readStamps)
  const index = read ?? kind.rebuild(stamps, (name) => shards.has(name))
  const { uid = '', resourceVersion = '' } = object?.metadata ?? {}
  const last = read?.sequence ?? stamps.reduce((highest, stamp) => Math.max(highest, stamp.sequence), 0)
  const stored = object && { uid, resourceVersion }
  return { stored, index, isRebuilt: !read, shards, stamps, nextSequence: last + 1 }
}

/** Text of every shard, by name. */
export function shardTexts(shards: ReadonlyMap<string, V1ConfigMap>): Map<string, string> {
  return new Map([...shards].map(([name, shard]) => [name, shard.data?.[SHARD_KEY] ?? '']))
}

/** One ConfigMap as it is stored now. */
export function readConfigMap({ kube, namespace }: Cluster, name: string): Promise<V1ConfigMap | undefined> {
  return kube.get<V1ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } })
}

function parsed<I extends RatesIndex | ClientsIndex>(kind: IndexKind<I>, object: V1ConfigMap | undefined) {
  try {
    return object && kind.parse(object.data?.[INDEX_KEY] ?? '')
  } catch {
    // An index that somebody broke is as good as none: the shards know what it said.
    return undefined
  }
}

async function fetchMissing(cluster: Cluster, shards: Map<string, V1ConfigMap>, names: string[]): Promise<void> {
  for (const name of names) {
    const shard = shards.has(name) ? undefined : await readConfigMap(cluster, name)
    if (shard) shards.set(name, shard)
  }
}
