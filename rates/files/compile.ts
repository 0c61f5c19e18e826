import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { buildSnapshot, type Snapshot } from '../engine/snapshot.ts'
import { encodeRateSet, encodeRatesIndex, type EncodedSet } from '../published/encode-rates.ts'
import type { RateSetFile } from './rate-set-file.ts'

/**
 * Compiles checked rate set files to the snapshot that a process would hold had an operator published them: with the
 * same digests and release. Withdrawn sets are left out; throws when an import is not there.
 */
export function compileRateSets(files: readonly RateSetFile[], previous?: Snapshot): Snapshot {
  const sets = files
    .map(({ name, spec }) => ({ name, spec: spec as RateSetSpec }))
    .filter(({ spec }) => !spec.withdrawn)
  const encoded = new Map<string, EncodedSet>()
  // Imported sets import nothing themselves; they come first, because their digests are part of their importers'.
  const importedFirst = sets.toSorted((a, b) => (a.spec.imports?.length ?? 0) - (b.spec.imports?.length ?? 0))
  for (const { name, spec } of importedFirst) encoded.set(name, encodeRateSet(name, spec, importsOf(spec, encoded)))
  const { release } = encodeRatesIndex(
    [...encoded.values()].map(({ entry }) => entry),
    0,
  )
  const loaded = sets.map(({ name, spec }) => {
    const { digest, imports } = encoded.get(name)!.entry
    return { name, spec, digest, imports }
  })
  return buildSnapshot({ release, sets: loaded }, previous)
}

function importsOf(spec: RateSetSpec, encoded: ReadonlyMap<string, EncodedSet>) {
  return (spec.imports ?? []).map((pricingCode) => {
    const entries = [...encoded.values()].map(({ entry }) => entry)
    const found = entries.find(
      (entry) => entry.pricingCode === pricingCode && entry.financialYear === spec.financialYear,
    )
    if (!found) throw new Error(`${spec.pricingCode} ${spec.financialYear} imports ${pricingCode}, which is not there`)
    return { name: found.name, pricingCode, digest: found.digest }
  })
}
