import { spawnSync } from 'node:child_process'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { filesAt } from '../git-revision.ts'
import { parseKept } from '../kept-files.ts'
import type { Before } from './corrections.ts'
import { patchFile } from './overlay.ts'

/**
 * The content that the rate sets below a folder had when Git last committed the attestation of each into an overlay.
 * Undefined for a set whose attestation Git does not know, and without Git.
 */
export function lastPromotion(overlay: string, folder: string): Before {
  const read = new Map<string, readonly RateSetSpec[]>()
  return (name) => {
    const revision = lastChange(patchFile(overlay, name))
    if (revision === undefined) return undefined
    const specs =
      read.get(revision) ?? filesAt(revision, folder).map(({ file, text }) => parseKept(text, file).spec as RateSetSpec)
    read.set(revision, specs)
    return specs
  }
}

function lastChange(file: string): string | undefined {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%H', '--', file], { encoding: 'utf8' })
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined
}
