import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { encodeRateSet, encodeRatesIndex, type EncodedSet, type ImportedSet } from '#rates/published/encode-rates.ts'
import type { RatesIndex } from '#rates/published/format.ts'
import type { Wanted } from '../publish/desired.ts'
import type { Decision } from './decide.ts'

/** The index and shards of a decision; pure. */
export function wantedRates({ contents, assignment }: Decision, sequence: number): Wanted<RatesIndex> {
  const sets = [...assignment.keys()].flatMap((name) => {
    const spec = contents.spec(name, assignment)
    return spec ? [encoded(name, spec, contents.importedSets(name, assignment))] : []
  })
  const index = encodeRatesIndex(
    sets.map((set) => set.entry),
    sequence,
  )
  return { index, shards: sets.flatMap(({ shards }) => shards) }
}

/** The last encoding of a spec that is still in use. */
const encodings = new WeakMap<RateSetSpec, { key: string; set: EncodedSet }>()

/** The index entry and the shards of one set, encoded once; throws where its content has no JSON form. */
export function encoded(name: string, spec: RateSetSpec, imports: readonly ImportedSet[]): EncodedSet {
  const key = [name, ...imports.map((each) => each.digest)].join(' ')
  const known = encodings.get(spec)
  if (known?.key === key) return known.set
  const set = encodeRateSet(name, spec, imports)
  encodings.set(spec, { key, set })
  return set
}
