/**
 * The last resort, when the index, its history and the stamps of version 1 are all gone: of each set, and of each number of
 * the clients' shards, what was brought in last. A set that was withdrawn less than ten publications ago comes back too.
 */
import type { V1ConfigMap } from '@kubernetes/client-node'
import { SHARD_KEY } from '#rates/published/config-map.ts'
import { clientsDigest, clientShardNumber } from '#rates/published/encode-clients.ts'
import { encodeRateSet, encodeRatesIndex, namedShard, type EncodedSet } from '#rates/published/encode-rates.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import type { ClientsIndex, RatesIndex, Shard } from '#rates/published/format.ts'
import { HISTORY_OF } from '#rates/published/history.ts'
import { PAGE_OF } from '#rates/published/index-pages.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sequenceOf } from './stamps.ts'

interface Found {
  shard: Shard
  sequence: number
}

/** The rates index that the shards tell of; undefined where there are none. */
export function ratesFromShards(maps: Iterable<V1ConfigMap>): RatesIndex | undefined {
  const found = newestFirst(maps, 'rates')
  const specs = new Map<string, { spec: RateSetSpec; formatVersion: number }>()
  for (const [name, shards] of Map.groupBy(found, ({ shard }) => shard.of)) {
    const spec = specOf(shards)
    if (spec) specs.set(name, { spec, formatVersion: shards[0]?.shard.formatVersion ?? 1 })
  }
  if (specs.size === 0) return undefined
  const encoded = new Map<string, EncodedSet>()
  for (const name of specs.keys()) encode(name, specs, encoded)
  const entries = [...encoded.values()].map(({ entry }) => entry)
  return encodeRatesIndex(entries, found[0]?.sequence ?? 0, found[0]?.shard.formatVersion)
}

/** The clients index that the shards tell of; undefined where there are none. */
export function clientsFromShards(maps: Iterable<V1ConfigMap>): ClientsIndex | undefined {
  const found = newestFirst(maps, 'clients')
  const shards: ClientsIndex['shards'] = []
  for (;;) {
    const newest = found.find(({ shard }) => shard.of === clientShardNumber(shards.length))
    if (!newest) break
    const { name, digest } = namedShard(newest.shard)
    shards.push({ name, digest, count: (JSON.parse(newest.shard.text) as unknown[]).length })
  }
  if (shards.length === 0) return undefined
  const [first] = found
  const head = { formatVersion: first?.shard.formatVersion ?? 1, sequence: first?.sequence ?? 0 }
  return { ...head, kind: 'clients', digest: clientsDigest(shards), shards }
}

function newestFirst(maps: Iterable<V1ConfigMap>, kind: Shard['kind']): Found[] {
  const found = [...maps].flatMap((map): Found[] => {
    const shard = shardIn(map)
    const isOwn = shard?.kind === kind && shard.of !== PAGE_OF && shard.of !== HISTORY_OF
    return shard && isOwn ? [{ shard, sequence: sequenceOf(map) }] : []
  })
  return found.sort((a, b) => b.sequence - a.sequence)
}

/** A shard that is what its name says; damage is left out. */
function shardIn({ metadata, data }: V1ConfigMap): Shard | undefined {
  try {
    const shard = JSON.parse(data?.[SHARD_KEY] ?? '') as Shard
    return namedShard(shard).name === metadata?.name ? shard : undefined
  } catch {
    return undefined
  }
}

/** The newest parts joined, where they are a spec. */
function specOf(shards: readonly Found[]): RateSetSpec | undefined {
  const parts = shards[0]?.shard.parts ?? 0
  const texts = Array.from({ length: parts }, (_, part) => shards.find(({ shard }) => shard.part === part)?.shard.text)
  try {
    return JSON.parse(texts.join('')) as RateSetSpec
  } catch {
    return undefined
  }
}

/** Encodes a set after its imports, whose digests it pins; a cycle ends where it began. */
function encode(
  name: string,
  specs: ReadonlyMap<string, { spec: RateSetSpec; formatVersion: number }>,
  encoded: Map<string, EncodedSet>,
  path: readonly string[] = [],
): EncodedSet | undefined {
  const known = encoded.get(name)
  const own = specs.get(name)
  if (known || !own || path.includes(name)) return known
  const imports = (own.spec.imports ?? []).flatMap((pricingCode) => {
    const imported = rateSetName(pricingCode, own.spec.financialYear)
    const digest = encode(imported, specs, encoded, [...path, name])?.entry.digest
    return digest === undefined ? [] : [{ name: imported, pricingCode, digest }]
  })
  const set = encodeRateSet(name, own.spec, imports, own.formatVersion)
  encoded.set(name, set)
  return set
}
