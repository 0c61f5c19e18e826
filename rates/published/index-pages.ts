import { hashOfKey } from './encode-clients.ts'
import { namedShard, type NamedShard } from './encode-rates.ts'
import type { ClientShardReference, ClientsIndex, RateSetEntry, RatesIndex, ShardReference } from './format.ts'

/** An index as it is stored: with its entries in it, or with the names of the pages that they are on. */
export type StoredIndex = Omit<RatesIndex, 'sets'> | Omit<ClientsIndex, 'shards'>

export interface SplitIndex {
  /** What `data['index.json']` says. */
  stored: StoredIndex & { pages?: ShardReference[] }
  /** Immutable and named by content, as shards are: a change of one entry makes one new page. */
  pages: NamedShard[]
}

/** What `of` says of a page; no rate set and no clients shard is named so. */
export const PAGE_OF = 'index'

/** Characters of an index above which its entries go to pages, and of the entries on one page. */
const INLINE_LIMIT = 128 * 1024
const PAGE_SIZE = 64 * 1024

/** The stored form of an index; version 1 knew no pages, so it is never split. */
export function splitIndex(index: RatesIndex | ClientsIndex): SplitIndex {
  const text = JSON.stringify(index)
  if (index.formatVersion === 1 || text.length <= INLINE_LIMIT) return { stored: index, pages: [] }
  const count = 2 ** Math.ceil(Math.log2(text.length / PAGE_SIZE))
  const pages = groups(index, count).map((entries, part) =>
    namedShard({
      formatVersion: index.formatVersion,
      kind: index.kind,
      of: PAGE_OF,
      part,
      parts: count,
      text: JSON.stringify(entries),
    }),
  )
  return { stored: { ...headOf(index), pages: pages.map(({ name, digest }) => ({ name, digest })) }, pages }
}

function headOf(index: RatesIndex | ClientsIndex): StoredIndex {
  if (index.kind === 'rates') return omit(index, 'sets')
  return omit(index, 'shards')
}

function omit<T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as Omit<T, K>
}

/** Sets by hash of their name, so that a new one moves no other; client shards by number, which is their order. */
function groups(index: RatesIndex | ClientsIndex, count: number): (RateSetEntry | ClientShardReference)[][] {
  const pages: (RateSetEntry | ClientShardReference)[][] = Array.from({ length: count }, () => [])
  if (index.kind === 'rates') for (const entry of index.sets) pages[hashOfKey(entry.name) % count]?.push(entry)
  else {
    const perPage = Math.ceil(index.shards.length / count)
    for (const [at, shard] of index.shards.entries()) pages[Math.floor(at / perPage)]?.push(shard)
  }
  return pages
}

/** Names of the pages that a stored index names; none where its entries are in it. */
export function pageNames(stored: object): string[] {
  const { pages } = stored as { pages?: ShardReference[] }
  return Array.isArray(pages) ? pages.map(({ name }) => name) : []
}
