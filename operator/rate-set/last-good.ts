import { isDeepStrictEqual } from 'node:util'
import { digestOf } from '#rates/published/canonical.ts'
import { shardJson } from '#rates/published/config-map.ts'
import { decodeRateSet } from '#rates/published/decode.ts'
import type { ShardTexts } from '#rates/published/shard-text.ts'
import type { RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Desired } from '../publish/desired.ts'

/** A spec, and what it was read from. */
interface KnownSpec {
  spec: RateSetSpec
  /** The index entry, as JSON. */
  entry: string
  texts: readonly (string | undefined)[]
}

/** Specs by digest: an unchanged set keeps its object, and with it whatever was computed from it. */
export type KnownSpecs = Map<string, KnownSpec>

/** What is published, as far as it can be read. */
export interface LastGood {
  specs: ReadonlyMap<string, RateSetSpec>
  /** Entries whose content cannot be read anywhere. */
  lost: ReadonlyMap<string, RateSetEntry>
}

/**
 * The published content of each set by name: from its shards, else from an earlier read, else from its object when that
 * is exactly the same content. Never from an earlier release, which would be another price.
 */
export function readLastGood(
  index: RatesIndex | undefined,
  texts: ShardTexts,
  known: KnownSpecs,
  objectSpec: (name: string) => RateSetSpec | undefined = () => undefined,
): LastGood {
  const specs = new Map<string, RateSetSpec>()
  const lost = new Map<string, RateSetEntry>()
  for (const entry of index?.sets ?? []) {
    const spec = readAndKeep(entry, texts, known) ?? sameContent(entry, known, objectSpec(entry.name))
    if (spec) specs.set(entry.name, spec)
    else lost.set(entry.name, entry)
  }
  const used = new Set(specs.values())
  for (const [digest, { spec }] of known) if (!used.has(spec)) known.delete(digest)
  return { specs, lost }
}

/** Remembers what was just published: its shards may be lost before they are read for the first time. */
export function remember(
  known: KnownSpecs,
  { index, shards }: Desired<RatesIndex>,
  specOf: (name: string) => RateSetSpec | undefined,
): void {
  const named = new Map(shards.map(({ name, shard }) => [name, shard]))
  for (const entry of index.sets) {
    const spec = known.has(entry.specDigest) ? undefined : specOf(entry.name)
    const texts = entry.shards.flatMap(({ name }) => named.get(name) ?? []).map(shardJson)
    // A lost set is named but has no shards.
    if (spec && texts.length === entry.shards.length)
      known.set(entry.specDigest, { spec, entry: JSON.stringify(entry), texts })
  }
}

/** A content is identified by its digest, wherever it comes from, so its shards can be written again. */
function sameContent({ specDigest }: RateSetEntry, known: KnownSpecs, object: RateSetSpec | undefined) {
  const remembered = known.get(specDigest)
  if (remembered) return remembered.spec
  return object && digestOf(object) === specDigest ? object : undefined
}

function readAndKeep(entry: RateSetEntry, texts: ShardTexts, known: KnownSpecs): RateSetSpec | undefined {
  const source = { entry: JSON.stringify(entry), texts: entry.shards.map(({ name }) => texts.get(name)) }
  const same = known.get(entry.specDigest)
  // Otherwise every run would hash and parse hundreds of sets to publish one of them.
  if (same && isDeepStrictEqual({ entry: same.entry, texts: same.texts }, source)) return same.spec
  try {
    const { spec } = decodeRateSet(entry, texts)
    known.set(entry.specDigest, { spec: same?.spec ?? spec, ...source })
    return same?.spec ?? spec
  } catch {
    return undefined
  }
}
