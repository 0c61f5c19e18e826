import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { readRateSets } from '#rates/files/read.ts'
import { shardJson } from '#rates/published/config-map.ts'
import { encodeRateSet, encodeRatesIndex, type EncodedSet } from '#rates/published/encode-rates.ts'

export interface Publication {
  /** Text of the index. */
  index: string
  /** Text of each shard by name. */
  shards: ReadonlyMap<string, string>
  sets: number
}

/**
 * A folder of rate sets as an operator would publish it. `mark` is written into each set, and so changes each digest.
 */
export function publishFolder(folder: string, mark: string): Publication {
  const specs = readRateSets([folder]).map(({ name, spec }) => ({ name, spec: marked(spec as RateSetSpec, mark) }))
  const encoded = new Map<string, EncodedSet>()
  for (const { name, spec } of specs.toSorted((a, b) => importCount(a) - importCount(b))) {
    const imports = [...encoded.values()]
      .map(({ entry }) => entry)
      .filter((entry) => spec.imports?.includes(entry.pricingCode) && entry.financialYear === spec.financialYear)
    encoded.set(name, encodeRateSet(name, spec, imports))
  }
  const sets = [...encoded.values()]
  const index = encodeRatesIndex(
    sets.map(({ entry }) => entry),
    1,
  )
  const shards = sets.flatMap((set) => set.shards.map(({ name, shard }) => [name, shardJson(shard)] as const))
  return { index: JSON.stringify(index), shards: new Map(shards), sets: sets.length }
}

const importCount = ({ spec }: { spec: RateSetSpec }) => spec.imports?.length ?? 0

/** A rate set whose digest is that of no other mark. */
export function marked(spec: RateSetSpec, mark: string): RateSetSpec {
  return { ...spec, sources: spec.sources.map((source) => ({ ...source, label: `${source.label} (${mark})` })) }
}
