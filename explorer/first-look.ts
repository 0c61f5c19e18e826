import { readFileSync } from 'node:fs'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { keptBelow } from '#rates/files/kept.ts'
import { findSet } from '#rates/files/kept-sets.ts'
import { yamlFiles } from '#rates/files/yaml-files.ts'
import { servedOf, type ExplorerRates } from './served.ts'

export interface FirstLook {
  snapshot: Snapshot
  rates: ExplorerRates
}

/**
 * The rates of a folder whose files an earlier start has parsed. They are there before the parser and the checks are
 * loaded, which take most of a start. Undefined where a file is new, and where the checks say better what is wrong.
 */
export function firstLook(folder: string, kept = keptBelow()): FirstLook | undefined {
  try {
    const files = yamlFiles([folder]).map((file) => findSet(kept, readFileSync(file, 'utf8')))
    const sets = files.filter((each) => each !== undefined)
    const names = new Set(sets.map(({ name }) => name))
    if (names.size === 0 || names.size < files.length) return undefined
    const snapshot = compileRateSets(sets)
    return { snapshot, rates: servedOf(folder, snapshot, { faults: [], outdated: false, unchecked: true }) }
  } catch {
    return undefined
  }
}
