/**
 * The last resort, when the index, its history and the stamps of version 1 are all gone: of each set, and of each number of
 * the clients' shards, what was brought in last. A set that was withdrawn stays so: its shards are marked.
 */
import type { V1ConfigMap } from '@kubernetes/client-node'
import { SHARD_KEY } from '#rates/published/config-map.ts'
import { clientsDigest, clientShardNumber } from '#rates/published/encode-clients.ts'
import { encodeRateSet, encodeRatesIndex, namedShard, type EncodedSet } from '#rates/published/encode-rates.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import type { ClientsIndex, RateSetEntry, RatesIndex, Shard } from '#rates/published/format.ts'
import { HISTORY_OF } from '#rates/published/history.ts'
import { PAGE_OF } from '#rates/published/index-pages.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sequenceOf, WITHDRAWN_LABEL } from './stamps.ts'

interface Found {
  shard: Shard
  sequence: number
  /** resourceVersion of the object as a number; 0 when it is not a number. */
  version: number
  isWithdrawn: boolean
}

/** Whether a content may be published here with the imports that its digest pins. */
export type IsAdmitted = (name: string, digest: string) => boolean

/**
 * The rates index that follows from the shards; undefined when there are none. Which contents belong together is a
 * guess. When only attested contents are published, the newest content of a set that was admitted with its imports is
 * used; a set without one is lost and reported to `onUnproved`.
 */
export function ratesFromShards(
  maps: Iterable<V1ConfigMap>,
  isAdmitted: IsAdmitted = () => true,
  onUnproved: (entry: RateSetEntry) => void = () => undefined,
): RatesIndex | undefined {
  const found = newestFirst(maps, 'rates')
  const groups = [...Map.groupBy(found, ({ shard }) => shard.of)].filter(([, shards]) => !shards[0]?.isWithdrawn)
  const contents = new Map(groups.map(([name, shards]) => [name, contentsOf(shards)]))
  const encoded = new Map<string, EncodedSet>()
  for (const name of contents.keys()) encode(name, { contents, encoded, isAdmitted, onUnproved })
  if (encoded.size === 0) return undefined
  const entries = [...encoded.values()].map(({ entry }) => entry)
  return encodeRatesIndex(entries, found[0]?.sequence ?? 0, found[0]?.shard.formatVersion)
}

/** The clients index that follows from the shards; undefined when there are none. */
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
    const isWithdrawn = map.metadata?.labels?.[WITHDRAWN_LABEL] !== undefined
    const version = Number(map.metadata?.resourceVersion) || 0
    return shard && isOwn ? [{ shard, sequence: sequenceOf(map), version, isWithdrawn }] : []
  })
  // Two operators may have published under one sequence; the shard that was written later most likely reached the
  // index.
  return found.sort((a, b) => b.sequence - a.sequence || b.version - a.version)
}

/** A shard whose content matches its name; damaged shards are left out. */
export function shardIn({ metadata, data }: V1ConfigMap): Shard | undefined {
  try {
    const shard = JSON.parse(data?.[SHARD_KEY] ?? '') as Shard
    return namedShard(shard).name === metadata?.name ? shard : undefined
  } catch {
    return undefined
  }
}

interface Content {
  spec: RateSetSpec
  formatVersion: number
}

/** The contents of one set, newest first; a content in several parts is assembled only for the newest. */
function contentsOf(shards: readonly Found[]): Content[] {
  const parts = shards[0]?.shard.parts ?? 0
  const newest = Array.from({ length: parts }, (_, part) => shards.find(({ shard }) => shard.part === part)?.shard)
  const whole = shards.flatMap(({ shard }) => (shard.parts === 1 ? [[shard]] : []))
  return (parts === 1 ? whole : [newest]).flatMap((each) => {
    const spec = specIn(each.map((shard) => shard?.text).join(''))
    return spec ? [{ spec, formatVersion: each[0]?.formatVersion ?? 1 }] : []
  })
}

function specIn(text: string): RateSetSpec | undefined {
  try {
    return JSON.parse(text) as RateSetSpec
  } catch {
    return undefined
  }
}

interface Encoding {
  contents: ReadonlyMap<string, readonly Content[]>
  encoded: Map<string, EncodedSet>
  isAdmitted: IsAdmitted
  onUnproved: (entry: RateSetEntry) => void
}

/** Encodes a set after its imports, whose digests it pins; stops at a cycle. */
function encode(name: string, encoding: Encoding, path: readonly string[] = []): EncodedSet | undefined {
  const { contents, encoded, isAdmitted, onUnproved } = encoding
  if (encoded.has(name) || path.includes(name)) return encoded.get(name)
  let newest: RateSetEntry | undefined
  for (const { spec, formatVersion } of contents.get(name) ?? []) {
    const imports = (spec.imports ?? []).flatMap((pricingCode) => {
      const imported = rateSetName(pricingCode, spec.financialYear)
      const digest = encode(imported, encoding, [...path, name])?.entry.digest
      return digest === undefined ? [] : [{ name: imported, pricingCode, digest }]
    })
    const set = encodeRateSet(name, spec, imports, formatVersion)
    newest ??= set.entry
    if (!isAdmitted(name, set.entry.digest)) continue
    encoded.set(name, set)
    return set
  }
  if (newest) onUnproved(newest)
  return undefined
}
