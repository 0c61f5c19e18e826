import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import type { HeldRates } from './held.ts'

/** Compiles rate set files as an operator would publish them, with the same digests and release. */
export function compileFiles(files: readonly RateSetFile[], previous?: Snapshot): HeldRates {
  const snapshot = compileRateSets(files, previous)
  return Object.freeze({ snapshot, sequence: 0, loadedAt: new Date().toISOString() })
}
