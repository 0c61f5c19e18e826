import { buildSnapshot, type Snapshot } from '#rates/engine/snapshot.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import { encodeRateSet, encodeRatesIndex, type EncodedSet } from '#rates/published/encode-rates.ts'
import type { HeldRates } from './held.ts'

/**
 * Compiles rate set files to what an operator would have published of them, with the same digests and release; throws
 * naming file and line of the first fault of writing.
 */
export function compileFiles(files: readonly RateSetFile[], previous?: Snapshot): HeldRates {
  const faults = files.flatMap((file) => file.faults)
  const [first] = faults
  if (first) throw new Error(`${first.file}:${first.line}: ${first.path} ${first.message} (${faults.length} faults)`)
  const sets = files
    .map(({ name, spec }) => ({ name, spec: spec as RateSetSpec }))
    .filter(({ spec }) => !spec.withdrawn)
  const encoded = new Map<string, EncodedSet>()
  // Imports are federal sets, which import nothing themselves; they come first so that their digests are known.
  for (const { name, spec } of [...sets].sort((a, b) => importCount(a.spec) - importCount(b.spec))) {
    encoded.set(name, encodeRateSet(name, spec, importsOf(spec, encoded)))
  }
  const entries = [...encoded.values()].map(({ entry }) => entry)
  const { release } = encodeRatesIndex(entries, 0)
  const loaded = sets.map(({ name, spec }) => {
    const { digest = '', imports = {} } = encoded.get(name)?.entry ?? {}
    return { name, spec, digest, imports }
  })
  const snapshot = buildSnapshot({ release, sets: loaded }, previous)
  return Object.freeze({ snapshot, sequence: 0, loadedAt: new Date().toISOString() })
}

const importCount = (spec: RateSetSpec) => spec.imports?.length ?? 0

function importsOf(spec: RateSetSpec, encoded: ReadonlyMap<string, EncodedSet>) {
  return (spec.imports ?? []).map((pricingCode) => {
    const found = [...encoded.values()].find(
      ({ entry }) => entry.pricingCode === pricingCode && entry.financialYear === spec.financialYear,
    )
    if (!found) throw new Error(`${spec.pricingCode} ${spec.financialYear} imports ${pricingCode}, which is not there`)
    const { name, digest } = found.entry
    return { name, pricingCode, digest }
  })
}
