import { readFileSync } from 'node:fs'
import type { ComparedSide } from '#rates/diff/held-sets.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import type { KeptSet } from '#rates/files/kept-sets.ts'
import type { RateSetFile } from '#rates/files/rate-set-file.ts'
import { readRateSets } from '#rates/files/read.ts'
import { readBundle, snapshotOfBundle, type BundleContent } from '#rates/release/bundle.ts'
import { CannotPrice } from './faults.ts'
import { filesAt, revisionIn } from './git-revision.ts'
import { parseKept } from './kept-files.ts'
import { checkExists, checkKeys, contextIn, isBundle } from './side-files.ts'
import { keysIn } from './trusted-keys.ts'

/** The rate sets on one side of a comparison. */
export interface SideOf {
  label: string
  files: RateSetFile[]
}

/** Reads a folder, `git:REV[:path]` or `context:NAME`. Throws WrongCall when it does not exist. */
export async function readSide(label: string, parseText = parseKept): Promise<SideOf> {
  const at = revisionIn(label)
  if (at) {
    const files = filesAt(at.revision, at.path)
    return { label, files: files.map(({ file, text }) => parseText(text, `${at.revision}:${file}`)) }
  }
  const context = contextIn(label)
  if (context !== undefined) return { label, files: await clusterFiles(context, parseText) }
  checkExists(label)
  return { label, files: readRateSets([label], parseText) }
}

/** The objects of a cluster in the form of files, so that faults can point to lines and columns. */
async function clusterFiles(context: string, parseText: typeof parseKept): Promise<RateSetFile[]> {
  const { readObjects } = await import('./cluster.ts')
  return (await readObjects(context)).map(({ name, spec }) => {
    const object = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata: { name }, spec }
    return parseText(JSON.stringify(object), `context:${context}/${name}`)
  })
}

export const specsOf = ({ files }: SideOf): RateSetSpec[] => files.map(({ spec }) => spec as RateSetSpec)

/** The snapshot of a side; throws CannotPrice, which names the side. */
export function compiled({ label, files }: { label: string; files: readonly KeptSet[] }): Snapshot {
  try {
    return compileRateSets(files)
  } catch (error) {
    throw new CannotPrice(`${label} cannot price: ${(error as Error).message}`)
  }
}

/**
 * The snapshot of a side, which can also be a bundle. Throws WrongCall for a bundle without keys, and ReleaseFault for a
 * bundle that none of the keys signed.
 */
export async function snapshotOf(label: string, keysFile: string | undefined): Promise<Snapshot> {
  if (!isBundle(label)) return compiled(await readSide(label))
  return snapshotOfBundle(await bundleAt(label, keysFile))
}

/** The rates of a bundle, or of a release that a cluster keeps. Throws as `snapshotOf`. */
export async function releasedSide(label: string, keysFile: string | undefined): Promise<ComparedSide> {
  const content = label.startsWith('context:') ? await keptAt(label) : await bundleAt(label, keysFile)
  return { label, specs: content.sets.map(({ spec }) => spec), snapshot: snapshotOfBundle(content) }
}

async function bundleAt(label: string, keysFile: string | undefined): Promise<BundleContent> {
  checkKeys(label, keysFile)
  return (await readBundle(new Uint8Array(readFileSync(label)), keysIn(keysFile))).content
}

async function keptAt(label: string): Promise<BundleContent> {
  const { readKeptRelease } = await import('./kept-release.ts')
  return (await readKeptRelease(label)).content
}
