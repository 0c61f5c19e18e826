import { isDeepStrictEqual } from 'node:util'
import { decodeRateSet, type ShardTexts } from '#rates/published/decode.ts'
import type { RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'

/** A spec, and what it was read from. */
interface KnownSpec {
  spec: RateSetSpec
  /** The index entry, as JSON. */
  entry: string
  texts: readonly (string | undefined)[]
}

/** Specs by their digest: an unchanged set keeps its object, and with it what was computed of it. */
export type KnownSpecs = Map<string, KnownSpec>

/** The published content of each set, by name, read back from its shards. */
export function lastGood(index: RatesIndex | undefined, texts: ShardTexts, known: KnownSpecs) {
  const found = new Map<string, RateSetSpec>()
  for (const entry of index?.sets ?? []) {
    const spec = readable(entry, texts, known)
    if (spec) found.set(entry.name, spec)
  }
  const used = new Set(found.values())
  for (const [digest, { spec }] of known) if (!used.has(spec)) known.delete(digest)
  return found
}

function readable(entry: RateSetEntry, texts: ShardTexts, known: KnownSpecs): RateSetSpec | undefined {
  const source = { entry: JSON.stringify(entry), texts: entry.shards.map(({ name }) => texts.get(name)) }
  const same = known.get(entry.specDigest)
  // Hundreds of sets are hashed and parsed in every run otherwise, to publish one of them.
  if (same && isDeepStrictEqual({ entry: same.entry, texts: same.texts }, source)) return same.spec
  try {
    const { spec } = decodeRateSet(entry, texts)
    known.set(entry.specDigest, { spec: same?.spec ?? spec, ...source })
    return same?.spec ?? spec
  } catch {
    return undefined
  }
}
