import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { sha256 } from './canonical.ts'
import { clientShardNumber, clientsDigest } from './encode-clients.ts'
import { rateSetDigest, releaseOf } from './encode-rates.ts'
import {
  isSequence,
  READABLE_VERSIONS,
  type ClientBinding,
  type ClientShardReference,
  type ClientsIndex,
  type RateSetEntry,
  type RatesIndex,
  type Shard,
  type ShardReference,
} from './format.ts'
import { HISTORY_OF, type HistoryChunk, type HistoryRecord } from './history.ts'
import { PAGE_OF, pageNames } from './index-pages.ts'

/** One verified rate set. */
export interface DecodedSet {
  entry: RateSetEntry
  spec: RateSetSpec
}

/**
 * Thrown when published objects are inconsistent; `set` and `shard` say where, and `missing` says that a shard does not
 * exist.
 */
export class PublishedFault extends Error {
  override name = 'PublishedFault'
  readonly set: string | undefined
  readonly shard: string | undefined
  readonly missing: boolean

  constructor(message: string, where: { set?: string; shard?: string; missing?: boolean } = {}) {
    super([where.set && `set ${where.set}`, where.shard && `shard ${where.shard}`, message].filter(Boolean).join(': '))
    this.set = where.set
    this.shard = where.shard
    this.missing = where.missing ?? false
  }
}

/** Thrown for a format that this program does not know. Such objects are not broken and must not be replaced. */
export class UnknownFormat extends PublishedFault {
  override name = 'UnknownFormat'
}

/** Text of `data['shard.json']` by name of the shard ConfigMap. */
export type ShardTexts = ReadonlyMap<string, string>

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

/** Decodes every rate set of the index and verifies each digest; throws PublishedFault that names set and shard. */
export function decodeRates(index: RatesIndex, shardTexts: ShardTexts): DecodedSet[] {
  return [...decodeEach(index, shardTexts)]
}

/**
 * Decodes the rate sets of the index one at a time and verifies each digest, so that a reader can do other work in
 * between. A set of `known`, by RateSet name, is reused when its entry is the same. A set whose shards are faulty is
 * left out and passed to `onFault`; without `onFault`, PublishedFault is thrown, which names set and shard.
 */
export function* decodeEach(
  index: RatesIndex,
  shardTexts: ShardTexts,
  known: ReadonlyMap<string, DecodedSet> = new Map(),
  onFault: (entry: RateSetEntry, fault: unknown) => void = rethrow,
): Generator<DecodedSet> {
  const byName = new Map(index.sets.map((entry) => [entry.name, entry]))
  for (const entry of index.sets) {
    for (const [name, digest] of Object.entries(entry.imports))
      if (byName.get(name)?.digest !== digest)
        throw new PublishedFault(`it was checked with ${name} at ${digest}, which is not in the index`, {
          set: entry.name,
        })
    const same = sameSet(entry, known)
    if (same) yield same
    else {
      try {
        yield verified(decodeRateSet(entry, shardTexts), byName)
      } catch (fault) {
        onFault(entry, fault)
      }
    }
  }
}

function rethrow(_entry: RateSetEntry, fault: unknown): never {
  throw fault
}

/** The known set of an entry; undefined unless it was decoded from exactly this entry and verified. */
export function sameSet(entry: RateSetEntry, known: ReadonlyMap<string, DecodedSet>): DecodedSet | undefined {
  const found = known.get(entry.name)
  return found && JSON.stringify(found.entry) === JSON.stringify(entry) ? found : undefined
}

/**
 * Joins the shards of one rate set and verifies them against the entry; throws PublishedFault that names set and shard.
 */
export function decodeRateSet(entry: RateSetEntry, shardTexts: ShardTexts): DecodedSet {
  const text = entry.shards
    .map((reference, part) => shardText(reference, shardTexts, { of: entry.name, kind: 'rates', part }))
    .join('')
  if (sha256(text) !== entry.specDigest)
    throw new PublishedFault('the joined shards are not its spec', { set: entry.name })
  const spec = parseJson(text, `set ${entry.name}`) as RateSetSpec
  if (spec.pricingCode !== entry.pricingCode || spec.financialYear !== entry.financialYear)
    throw new PublishedFault('its spec is of another pricing code or year', { set: entry.name })
  return { entry, spec }
}

/** Every client binding by client id, each digest verified; throws PublishedFault that names the shard. */
export function decodeClients(index: ClientsIndex, shardTexts: ShardTexts): Map<string, ClientBinding> {
  const all = index.shards.flatMap((reference, number) => decodeClientShard(reference, number, shardTexts))
  return new Map(all.map((binding) => [binding.clientId, binding]))
}

/** The bindings of one shard, its digest verified; throws PublishedFault that names the shard. */
export function decodeClientShard(
  reference: ClientShardReference,
  number: number,
  shardTexts: ShardTexts,
): ClientBinding[] {
  const text = shardText(reference, shardTexts, { of: clientShardNumber(number), kind: 'clients', part: 0 })
  const bindings = parseJson(text, `shard ${reference.name}`) as ClientBinding[]
  if (bindings.length !== reference.count)
    throw new PublishedFault(`holds ${bindings.length} clients, not ${reference.count}`, { shard: reference.name })
  return bindings
}

function verified(loaded: DecodedSet, byName: ReadonlyMap<string, RateSetEntry>): DecodedSet {
  const { entry, spec } = loaded
  const imports = Object.entries(entry.imports).map(([name, digest]) => ({
    pricingCode: byName.get(name)?.pricingCode ?? name,
    digest,
  }))
  if (rateSetDigest(spec, imports) !== entry.digest)
    throw new PublishedFault('its digest is not that of its spec and imports', { set: entry.name })
  return loaded
}

function shardText(
  reference: { name: string; digest: string },
  texts: ShardTexts,
  expected: { of: string; kind: Shard['kind']; part: number },
): string {
  const where = { ...(expected.kind === 'rates' && { set: expected.of }), shard: reference.name }
  const json = texts.get(reference.name)
  if (json === undefined) throw new PublishedFault('is not there', { ...where, missing: true })
  const shard = parseJson(json, `shard ${reference.name}`) as Shard
  readable(shard, expected.kind)
  if (shard.of !== expected.of) throw new PublishedFault(`belongs to ${shard.of}`, where)
  if (shard.part !== expected.part) throw new PublishedFault(`is part ${shard.part}, not ${expected.part}`, where)
  if (typeof shard.text !== 'string' || sha256(shard.text) !== reference.digest)
    throw new PublishedFault(`its text does not hash to ${reference.digest}`, where)
  return shard.text
}

function readable(value: { formatVersion?: number; kind?: string } | null, kind: string): void {
  if (value?.kind !== kind) throw new PublishedFault(`expected ${kind}, found ${value?.kind}`)
  const version = value.formatVersion
  if (version === undefined || !READABLE_VERSIONS.includes(version))
    throw new UnknownFormat(
      `format version ${version} is not one that this program reads; it reads ${READABLE_VERSIONS.join(' and ')}`,
    )
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new PublishedFault(`${what} is not JSON: ${(cause as Error).message}`)
  }
}
