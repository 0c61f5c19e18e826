import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { encodeRateSet, encodeRatesIndex, type EncodedSet, type ImportedSet } from '#rates/published/encode-rates.ts'
import { FORMAT_VERSION, type RatesIndex } from '#rates/published/format.ts'
import type { Desired } from '../publish/desired.ts'
import type { PublicationDecision } from './decide.ts'
import type { LostSets } from './lost.ts'

type DesiredHead = Pick<RatesIndex, 'sequence' | 'sources'> & { formatVersion?: number; lost?: LostSets }

/** The index and the shards that a decision requires; a lost set keeps its present entry. Pure. */
export function desiredRates(
  { contents, assignment }: PublicationDecision,
  { lost = new Map(), formatVersion = FORMAT_VERSION, ...head }: DesiredHead,
): Desired<RatesIndex> {
  const sets = [...assignment].flatMap(([name, version]): EncodedSet[] => {
    const entry = version === 'lastGood' ? lost.get(name) : undefined
    if (entry) return [{ entry, shards: [] }]
    const spec = contents.spec(name, assignment)
    return spec ? [encoded(name, spec, contents.importedSets(name, assignment), formatVersion)] : []
  })
  const entries = sets.map((set) => set.entry)
  const index = encodeRatesIndex(entries, head.sequence, formatVersion)
  return {
    index: { ...index, ...(head.sources && { sources: head.sources }) },
    shards: sets.flatMap(({ shards }) => shards),
  }
}

/** The latest encoding of each spec in use. */
const encodings = new WeakMap<RateSetSpec, { key: string; set: EncodedSet }>()

/** The index entry and the shards of one set; each encoding is kept. Throws when the content has no JSON form. */
export function encoded(
  name: string,
  spec: RateSetSpec,
  imports: readonly ImportedSet[],
  formatVersion = FORMAT_VERSION,
): EncodedSet {
  const key = [formatVersion, name, ...imports.map((each) => each.digest)].join(' ')
  const known = encodings.get(spec)
  if (known?.key === key) return known.set
  const set = encodeRateSet(name, spec, imports, formatVersion)
  encodings.set(spec, { key, set })
  return set
}
