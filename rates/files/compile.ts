import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { buildSnapshot, type Snapshot } from '../engine/snapshot.ts'
import { encodeRatesIndex } from '../published/encode-rates.ts'
import { entriesOf, type NamedSpec } from '../release/bundle-content.ts'
import type { RateSetFile } from './rate-set-file.ts'

type NamedFile = Pick<RateSetFile, 'name' | 'spec'>

/**
 * Compiles checked rate set files to the snapshot that a process would have if an operator had published them, with the
 * same digests, order and release. Withdrawn sets are left out; throws when an import is missing.
 */
export function compileRateSets(files: readonly NamedFile[], previous?: Snapshot): Snapshot {
  const entries = entriesOf(namedSpecs(files))
  const { release } = encodeRatesIndex(
    entries.map(({ encoded }) => encoded.entry),
    0,
  )
  const sets = entries.map(({ encoded: { entry }, spec }) => {
    const { name, digest, imports } = entry
    return { name, spec, digest, imports }
  })
  return buildSnapshot({ release, sets }, previous)
}

/** Checked rate set files as named specs. */
export const namedSpecs = (files: readonly NamedFile[]): NamedSpec[] =>
  files.map(({ name, spec }) => ({ name, spec: spec as RateSetSpec }))
