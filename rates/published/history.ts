/**
 * The history stored beside each index: the last index in full, and for each publication the entries that it replaced.
 * Going back from the last index, this gives every index that is still kept. Readers of rates never need it. When the
 * records fill the head, they move to chunks, which are immutable and named by content, like shards.
 */
import { SHARD_LIMIT, namedShard, type NamedShard } from './encode-rates.ts'
import { FORMAT_VERSION, type ClientShardReference, type ClientsIndex } from './format.ts'
import type { PublishedKind, RateSetEntry, RatesIndex, ShardReference } from './format.ts'
import { splitIndex, type SplitIndex } from './index-pages.ts'
import { splitText } from './split.ts'

export type IndexEntry = RateSetEntry | ClientShardReference

/** One publication. */
export interface HistoryRecord {
  sequence: number
  /** The release; for clients, the digest. */
  release: string
  /** Time of the publication, ISO. */
  at: string
  /** The previous entries of what changed, by set or by number of the clients shard; null for a new one. */
  before: Readonly<Record<string, IndexEntry | null>>
  /** Pages of the previous index that this one no longer has. */
  pages?: readonly string[]
}

/** Records that are stored in shards of their own. */
export interface HistoryChunk {
  /** First and last sequence, and the time of the last publication. */
  from: number
  to: number
  at: string
  shards: readonly ShardReference[]
}

/** `data['history.json']`. */
export interface StoredHistory {
  formatVersion: number
  kind: PublishedKind
  /** The index of the last record as stored, whose pages it shares. */
  index: SplitIndex['stored']
  chunks: readonly HistoryChunk[]
  /** Oldest first. */
  records: readonly HistoryRecord[]
}

/** Version of the history alone; readers of the index do not depend on it. */
export const HISTORY_VERSION = 1
export const HISTORY_KEY = 'history.json'
/** Value of `of` in the shards of a chunk. */
export const HISTORY_OF = 'history'

/** Characters of the open records above which they move to a chunk; together with the index they stay below 512 KiB. */
export const OPEN_LIMIT = 192 * 1024

const KEPT_PUBLICATIONS = 10
const KEPT_MS = 15 * 60_000

/** The entries of an index, by their name in the history. */
export function entriesOf(index: RatesIndex | ClientsIndex): Map<string, IndexEntry> {
  if (index.kind === 'rates') return new Map(index.sets.map((entry) => [entry.name, entry]))
  return new Map(index.shards.map((shard, number) => [String(number), shard]))
}

/** The shards of an entry. */
export function shardNamesOf(entry: IndexEntry): string[] {
  return 'shards' in entry ? entry.shards.map(({ name }) => name) : [entry.name]
}

/** Everything that an index names: the shards of its entries and its pages. */
export function namesOf(index: RatesIndex | ClientsIndex): string[] {
  const pages = splitIndex(index).pages.map(({ name }) => name)
  return [...[...entriesOf(index).values()].flatMap(shardNamesOf), ...pages]
}

/** The release of an index; for clients, its digest. */
export function releaseIn(index: RatesIndex | ClientsIndex): string {
  return index.kind === 'rates' ? index.release : index.digest
}

/** The record of the change from one index to the next; without a previous index, the record of a first publication. */
export function recordOf<I extends RatesIndex | ClientsIndex>(
  last: I | undefined,
  index: I,
  at: string,
): HistoryRecord {
  const pages = last ? replacedPages(last, index) : []
  return {
    sequence: index.sequence,
    release: releaseIn(index),
    at,
    before: last ? changedEntries(last, index) : {},
    ...(pages.length > 0 && { pages }),
  }
}

function changedEntries(last: RatesIndex | ClientsIndex, index: RatesIndex | ClientsIndex) {
  const [before, after] = [entriesOf(last), entriesOf(index)]
  const changed: Record<string, IndexEntry | null> = {}
  for (const [key, entry] of before) if (JSON.stringify(after.get(key)) !== JSON.stringify(entry)) changed[key] = entry
  for (const key of after.keys()) if (!before.has(key)) changed[key] = null
  return changed
}

function replacedPages(last: RatesIndex | ClientsIndex, index: RatesIndex | ClientsIndex): string[] {
  const after = new Set(splitIndex(index).pages.map(({ name }) => name))
  return splitIndex(last).pages.flatMap(({ name }) => (after.has(name) ? [] : [name]))
}

/**
 * Position of the first record to keep: the last ten are kept, and those that were in force within the last 15 minutes.
 * A publication is in force until the next one.
 */
export function keptPosition(records: readonly Pick<HistoryRecord, 'at'>[], now: Date): number {
  let kept = Math.max(0, records.length - KEPT_PUBLICATIONS)
  while (kept > 0 && Date.parse(records[kept]?.at ?? '') >= now.getTime() - KEPT_MS) kept--
  return kept
}

/** A chunk of these records, and its shards. */
export function chunkOf(
  kind: StoredHistory['kind'],
  records: readonly HistoryRecord[],
): { chunk: HistoryChunk; shards: NamedShard[] } {
  const texts = splitText(JSON.stringify(records), SHARD_LIMIT)
  const place = { formatVersion: FORMAT_VERSION, kind, of: HISTORY_OF, parts: texts.length }
  const shards = texts.map((text, part) => namedShard({ ...place, part, text }))
  const { sequence: from = 0 } = records[0] ?? {}
  const { sequence: to = 0, at = '' } = records.at(-1) ?? {}
  return { chunk: { from, to, at, shards: shards.map(({ name, digest }) => ({ name, digest })) }, shards }
}
