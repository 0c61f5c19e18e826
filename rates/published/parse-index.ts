import { clientsDigest } from './encode-clients.ts'
import { releaseOf } from './encode-rates.ts'
import {
  isSequence,
  type ClientShardReference,
  type ClientsIndex,
  type RateSetEntry,
  type RatesIndex,
  type Shard,
  type ShardReference,
} from './format.ts'
import { HISTORY_OF, type HistoryChunk, type HistoryRecord } from './history.ts'
import { PAGE_OF, pageNames } from './index-pages.ts'
import { parseJson, PublishedFault, readable, shardText, type ShardTexts } from './shard-text.ts'

/**
 * Parses the rates index of `data['index.json']`, with the texts of its pages if it has any. Throws PublishedFault on
 * another format or a release whose digest is wrong.
 */
export function parseRatesIndex(text: string, pages: ShardTexts = new Map()): RatesIndex {
  const stored = parseJson(text, 'the rates index') as Paged<RatesIndex>
  readable(stored, 'rates')
  hasSequence(stored)
  const sets = stored.pages ? pagedEntries<RateSetEntry>(stored.pages, pages, 'rates') : stored.sets
  if (stored.pages) sets.sort((a, b) => (a.name < b.name ? -1 : 1))
  if (!Array.isArray(sets) || releaseOf(sets) !== stored.release)
    throw new PublishedFault('the release of the rates index is not the digest of its sets')
  return withoutPages({ ...stored, sets })
}

/** Parses the clients index of `data['index.json']`; throws PublishedFault on another format or a wrong digest. */
export function parseClientsIndex(text: string, pages: ShardTexts = new Map()): ClientsIndex {
  const stored = parseJson(text, 'the clients index') as Paged<ClientsIndex>
  readable(stored, 'clients')
  hasSequence(stored)
  const shards = stored.pages ? pagedEntries<ClientShardReference>(stored.pages, pages, 'clients') : stored.shards
  if (!Array.isArray(shards) || clientsDigest(shards) !== stored.digest)
    throw new PublishedFault('the digest of the clients index is not that of its shards')
  return withoutPages({ ...stored, shards })
}

function hasSequence({ kind, sequence }: RatesIndex | ClientsIndex): void {
  if (!isSequence(sequence)) throw new PublishedFault(`the sequence of the ${kind} index is ${String(sequence)}`)
}

type Paged<I> = I & { pages?: ShardReference[] }

function withoutPages<I extends object>({ pages: _, ...index }: I & { pages?: unknown }): I {
  return index as unknown as I
}

/**
 * Names of the pages that the text of an index names; none when its entries are inline or when the text is not an
 * index.
 */
export function pageNamesIn(text: string): string[] {
  try {
    return pageNames(JSON.parse(text) as object)
  } catch {
    return []
  }
}

function pagedEntries<E>(pages: ShardReference[], texts: ShardTexts, kind: Shard['kind']): E[] {
  return pages.flatMap((page, part) => {
    const text = shardText(page, texts, { of: PAGE_OF, kind, part })
    return parseJson(text, `page ${page.name}`) as E[]
  })
}

/** Parses and verifies the records of a chunk of the history; throws PublishedFault that names the shard. */
export function parseHistoryChunk(chunk: HistoryChunk, textOf: (shard: string) => string | undefined): HistoryRecord[] {
  const texts = new Map(chunk.shards.map(({ name }) => [name, textOf(name) ?? '']))
  const first = parseJson(texts.get(chunk.shards[0]?.name ?? '') ?? '', 'a chunk of the history') as Shard
  const text = chunk.shards.map((shard, part) => shardText(shard, texts, { of: HISTORY_OF, kind: first.kind, part }))
  const records = parseJson(text.join(''), 'a chunk of the history') as HistoryRecord[]
  if (!records.every(({ sequence }) => isSequence(sequence)))
    throw new PublishedFault('a chunk of the history has a record without a sequence')
  return records
}
