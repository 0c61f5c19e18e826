import { existsSync } from 'node:fs'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { parse, type RateSetFile } from '#rates/files/rate-set-file.ts'
import { readRateSets } from '#rates/files/read.ts'
import { filesAt } from './git-revision.ts'
import { WrongCall } from './help.ts'
import { SETS } from './rate-files.ts'

/** The rate sets on one side of a comparison. */
export interface SideOf {
  label: string
  files: RateSetFile[]
}

/** Reads a folder, `git:REV[:path]` or `context:NAME`. Throws WrongCall when it does not exist. */
export async function readSide(label: string): Promise<SideOf> {
  const [, revision, path = SETS] = /^git:([^:]+)(?::(.+))?$/.exec(label) ?? []
  if (revision !== undefined)
    return { label, files: filesAt(revision, path).map(({ file, text }) => parse(text, `${revision}:${file}`)) }
  if (label.startsWith('context:')) {
    const { readCluster } = await import('./cluster.ts')
    return { label, files: await readCluster(label.slice('context:'.length)) }
  }
  if (!existsSync(label))
    throw new WrongCall(`there is no ${label}; a side is a folder, git:REV[:path] or context:NAME`)
  return { label, files: readRateSets([label]) }
}

export const specsOf = ({ files }: SideOf): RateSetSpec[] => files.map(({ spec }) => spec as RateSetSpec)

/** The snapshot of a side; throws an error that names the side. */
export function compiled({ label, files }: SideOf): Snapshot {
  try {
    return compileRateSets(files)
  } catch (error) {
    throw new Error(`${label} cannot price: ${(error as Error).message}`)
  }
}
