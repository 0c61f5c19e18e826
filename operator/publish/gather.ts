import type { V1ConfigMap } from '@kubernetes/client-node'
import { INDEX_KEY, SHARD_KEY } from '#rates/published/config-map.ts'
import { pageNamesIn } from '#rates/published/parse-index.ts'
import { UnknownFormat, type ShardTexts } from '#rates/published/shard-text.ts'
import {
  HISTORY_SUFFIX,
  isContinued,
  PUBLISHED_LABEL,
  type ClientsIndex,
  type RatesIndex,
} from '#rates/published/format.ts'
import { HISTORY_KEY, HISTORY_VERSION, namesOf, releaseIn, type StoredHistory } from '#rates/published/history.ts'
import { listAll } from '#runtime/kube/list.ts'
import { isEarlier } from '#runtime/kube/resource-version.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { readConfigMap, versionOf, type StoredVersion } from '../cluster/config-map.ts'
import { openHistory, type History } from './history.ts'
import { readStamps, sequenceOf, type Stamp } from './stamps.ts'

/** How one kind of index is named, parsed and rebuilt. */
export interface IndexKind<I extends RatesIndex | ClientsIndex> {
  name: string
  /** The value of `PUBLISHED_LABEL` on its shards. */
  label: I['kind']
  /** Throws when the text and its pages are not a consistent index. */
  parse: (text: string, pages: ShardTexts) => I
  /** Rebuilds from the stamps of format version 1, when there is no history. */
  rebuild: (stamps: readonly Stamp[], isThere: (shard: string) => boolean) => I | undefined
  /** Rebuilds from the shards alone, when nothing else is left. */
  fromShards: (shards: Iterable<V1ConfigMap>) => Promise<I | undefined> | I | undefined
}

/** All published objects of one kind: index, shards and history. */
export interface Gathered<I> {
  /** The stored index object; absent when there is none. */
  stored: StoredVersion | undefined
  /** The published index; absent before the first publication. */
  index: I | undefined
  /** Whether the index was lost or replaced by somebody else, so that `index` was rebuilt. */
  isRebuilt: boolean
  /** Names of the stored index and history that no watch sees, because somebody took the label off. */
  unwatched: readonly string[]
  /** Shards by name: those in the cache and those that the index names. */
  shards: ReadonlyMap<string, V1ConfigMap>
  /** Absent when there is no readable history. */
  history: History<I> | undefined
  storedHistory: StoredVersion | undefined
  nextSequence: number
}

/**
 * Reads the index and its history from the server, because a cache may lag behind our own last write; shards are
 * immutable and may come from the cache. `remembered` is the index that this process published last, in case both are
 * lost. Throws UnknownFormat when a newer program wrote them, because nothing of that may be replaced.
 */
export async function gather<I extends RatesIndex | ClientsIndex>(
  cluster: Cluster,
  kind: IndexKind<I>,
  cached: Iterable<V1ConfigMap>,
  remembered?: I,
): Promise<Gathered<I>> {
  const historyName = kind.name + HISTORY_SUFFIX
  const [object, past] = await Promise.all([readConfigMap(cluster, kind.name), readConfigMap(cluster, historyName)])
  const shards = new Map([...cached].map((shard) => [shard.metadata?.name ?? '', shard]))
  const parsed = await parsedIndex(cluster, kind, shards, object?.data?.[INDEX_KEY])
  const history = await parsedHistory(cluster, kind, shards, past?.data?.[HISTORY_KEY])
  const read = isBelieved(parsed, { history, remembered, stored: [object, past] }) ? parsed : undefined
  const version = read || history ? 0 : await listShards(cluster, kind, shards)
  const index = read ?? (await lost(kind, shards, { history, remembered }))
  if (index) await fetchMissing(cluster, shards, namesOf(index))
  return {
    stored: versionOf(object),
    index,
    isRebuilt: !read,
    unwatched: [object, past].flatMap((each) =>
      each && !each.metadata?.labels?.[PUBLISHED_LABEL] ? nameOf(each) : [],
    ),
    shards,
    history,
    storedHistory: versionOf(past),
    nextSequence: Math.max(version, lastSequence(index, history, read ? before(object, shards) : shards.values())) + 1,
  }
}

const nameOf = ({ metadata }: V1ConfigMap): string => metadata?.name ?? ''

/**
 * Whether the index differs from the last record of the history. The history is written first and every publication
 * continues from it. An index with an earlier sequence belongs to an operator that ended in between, or was restored by
 * somebody. An index with another content under the same sequence, written after the history, was written by somebody
 * else.
 */
function isForeign<I extends RatesIndex | ClientsIndex>(
  index: I,
  history: History<I> | undefined,
  [object, past]: readonly (V1ConfigMap | undefined)[],
): boolean {
  if (!history || index.sequence > history.index.sequence) return false
  if (index.sequence < history.index.sequence) return true
  if (releaseIn(index) === releaseIn(history.index)) return false
  return isEarlier(past?.metadata?.resourceVersion ?? '', object?.metadata?.resourceVersion ?? '')
}

interface Beside<I> {
  history: History<I> | undefined
  remembered: I | undefined
  stored: readonly (V1ConfigMap | undefined)[]
}

/**
 * Whether the stored index is the latest: nobody else wrote it, and this process published nothing later. When this
 * process did, somebody restored index and history together, or restored etcd.
 */
function isBelieved<I extends RatesIndex | ClientsIndex>(
  index: I | undefined,
  { history, remembered, stored }: Beside<I>,
): boolean {
  if (!index || !isContinued(index.sequence) || isForeign(index, history, stored)) return false
  return !remembered || Math.max(index.sequence, history?.index.sequence ?? 0) >= remembered.sequence
}

/** Text of every shard, by name. */
export function shardTexts(shards: ReadonlyMap<string, V1ConfigMap>): Map<string, string> {
  return new Map([...shards].map(([name, shard]) => [name, textOf(shard)]))
}

const textOf = (shard: V1ConfigMap | undefined) => shard?.data?.[SHARD_KEY] ?? ''

type Shards = Map<string, V1ConfigMap>

async function parsedIndex<I extends RatesIndex | ClientsIndex>(
  cluster: Cluster,
  kind: IndexKind<I>,
  shards: Shards,
  text: string | undefined,
): Promise<I | undefined> {
  if (text === undefined) return undefined
  await fetchMissing(cluster, shards, pageNamesIn(text))
  return unlessBroken(() => kind.parse(text, shardTexts(shards)))
}

async function parsedHistory<I extends RatesIndex | ClientsIndex>(
  cluster: Cluster,
  kind: IndexKind<I>,
  shards: Shards,
  text: string | undefined,
): Promise<History<I> | undefined> {
  const stored = text === undefined ? undefined : unlessBroken(() => storedHistory(text))
  if (!stored) return undefined
  const indexText = JSON.stringify(stored.index)
  const names = stored.chunks.flatMap((chunk) => chunk.shards.map(({ name }) => name))
  await fetchMissing(cluster, shards, [...pageNamesIn(indexText), ...names])
  const index = unlessBroken(() => kind.parse(indexText, shardTexts(shards)))
  return index && isContinued(index.sequence)
    ? openHistory(stored, index, (name) => textOf(shards.get(name)))
    : undefined
}

function storedHistory(text: string): StoredHistory {
  const stored = JSON.parse(text) as StoredHistory
  if (stored.formatVersion !== HISTORY_VERSION)
    throw new UnknownFormat(`the history has format version ${stored.formatVersion}; this program reads version 1`)
  const { records, chunks, index }: Partial<Record<keyof StoredHistory, unknown>> = stored
  const hasRecords =
    Array.isArray(records) && records.every((one) => isObject(one) && isContinued(one.sequence) && isObject(one.before))
  const hasChunks =
    Array.isArray(chunks) && chunks.every((one) => isObject(one) && isContinued(one.to) && Array.isArray(one.shards))
  if (!hasRecords || !hasChunks || !isObject(index)) throw new Error('the history is not valid')
  return stored
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** A damaged object counts as absent; one that a newer program wrote is not damaged. */
function unlessBroken<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof UnknownFormat) throw error
    return undefined
  }
}

/**
 * Rebuilds a lost index: from the history, else from the newer of the stamps of version 1 and the last publication of
 * this process. From the shards alone when none of these is left or another process has published since.
 */
async function lost<I extends RatesIndex | ClientsIndex>(
  kind: IndexKind<I>,
  shards: Shards,
  { history, remembered }: { history: History<I> | undefined; remembered: I | undefined },
): Promise<I | undefined> {
  const stamped = kind.rebuild([...shards.values()].flatMap(readStamps), (name) => shards.has(name))
  const newest = Math.max(0, ...[...shards.values()].map(sequenceOf))
  const own = remembered && remembered.sequence >= newest ? remembered : undefined
  const known = [history?.index, stamped, own].filter((index) => index !== undefined)
  if (known.length === 0) return kind.fromShards(shards.values())
  return known.reduce((last, index) => (index.sequence > last.sequence ? index : last))
}

/**
 * Adds the shards on the server: a cache may lag, and the index must be built from the shards on the server. Returns
 * the server's resource version: each publication writes at least once, so no sequence was ever higher.
 */
async function listShards<I extends RatesIndex | ClientsIndex>(
  { kube, namespace }: Cluster,
  { label }: IndexKind<I>,
  shards: Shards,
): Promise<number> {
  const labelSelector = `${PUBLISHED_LABEL}=${label}`
  const collection = { path: `/api/v1/namespaces/${namespace}/configmaps`, labelSelector }
  const { items, resourceVersion } = await listAll<V1ConfigMap>(kube, collection)
  for (const shard of items) shards.set(shard.metadata?.name ?? '', shard)
  const version = Number(resourceVersion)
  return isContinued(version) ? version : 0
}

/**
 * The shards that were written before an index. Shards of a publication that never reached the index may have a higher
 * sequence, and would count as the newest when only shards are left. A later version in a cache may come from before a
 * restore of etcd.
 */
function before(index: V1ConfigMap | undefined, shards: Shards): V1ConfigMap[] {
  const version = index?.metadata?.resourceVersion ?? ''
  return [...shards.values()].filter(({ metadata }) => isEarlier(metadata?.resourceVersion ?? '', version))
}

/** The highest known sequence, so that none is used twice. */
function lastSequence(
  index: { sequence: number } | undefined,
  history: History<unknown> | undefined,
  shards: Iterable<V1ConfigMap>,
): number {
  const recorded = history?.records.at(-1)?.sequence ?? 0
  return Math.max(...[index?.sequence, recorded].filter(isContinued), 0, ...[...shards].map(sequenceOf))
}

async function fetchMissing(cluster: Cluster, shards: Shards, names: string[]): Promise<void> {
  for (const name of names) {
    const shard = shards.has(name) ? undefined : await readConfigMap(cluster, name)
    if (shard) shards.set(name, shard)
  }
}
