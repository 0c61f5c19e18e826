import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { sha256 } from './canonical.ts'
import { clientShardNumber } from './encode-clients.ts'
import { rateSetDigest } from './encode-rates.ts'
import type { ClientBinding, ClientShardReference, ClientsIndex, RateSetEntry, RatesIndex } from './format.ts'
import { parseJson, PublishedFault, shardText, type ShardTexts } from './shard-text.ts'

/** One verified rate set. */
export interface DecodedSet {
  entry: RateSetEntry
  spec: RateSetSpec
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
