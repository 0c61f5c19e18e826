import { hashOfKey } from './encode-clients.ts'
import { namedShard, type NamedShard } from './encode-rates.ts'
import type { ClientShardReference, ClientsIndex, RateSetEntry, RatesIndex, ShardReference } from './format.ts'

/** An index as stored: with its entries inline, or with the names of the pages that have them. */
export type StoredIndex = Omit<RatesIndex, 'sets'> | Omit<ClientsIndex, 'shards'>

export interface SplitIndex {
  /** The content of `data['index.json']`. */
  stored: StoredIndex & { pages?: ShardReference[] }
  /** Immutable and named by content, like shards: a change of one entry gives one new page. */
  pages: NamedShard[]
}

/** Value of `of` in a page; no rate set and no clients shard has this name. */
export const PAGE_OF = 'index'

/** Limit in characters, for an index with inline entries and for the entries of one page. */
const INLINE_LIMIT = 128 * 1024
const PAGE_SIZE = 64 * 1024

/** The stored form of an index. An index of version 1 is never split, because that version has no pages. */
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

/**
 * Groups sets by the hash of their name, so that a new set moves no other; groups client shards by number, which is
 * their order.
 */
function groups(index: RatesIndex | ClientsIndex, count: number): (RateSetEntry | ClientShardReference)[][] {
  const pages: (RateSetEntry | ClientShardReference)[][] = Array.from({ length: count }, () => [])
  if (index.kind === 'rates') for (const entry of index.sets) pages[hashOfKey(entry.name) % count]?.push(entry)
  else {
    const perPage = Math.ceil(index.shards.length / count)
    for (const [at, shard] of index.shards.entries()) pages[Math.floor(at / perPage)]?.push(shard)
  }
  return pages
}

/** Names of the pages of a stored index; none when its entries are inline. */
export function pageNames(stored: object): string[] {
  const { pages } = stored as { pages?: ShardReference[] }
  return Array.isArray(pages) ? pages.map(({ name }) => name) : []
}
