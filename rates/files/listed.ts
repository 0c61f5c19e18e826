import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { KUSTOMIZATION, kustomizationOf, readKustomization } from './kustomization.ts'
import type { LocatedFault } from './located.ts'
import type { RateSetFile } from './rate-set-file.ts'

/**
 * Rate set files of a folder that no overlay beside it lists, so that kustomize never applies them. Empty when nothing
 * publishes the folder.
 */
export function unlisted(sets: readonly RateSetFile[], folder: string): LocatedFault[] {
  const roots = overlaysBeside(folder)
  if (roots.length === 0) return []
  const faults = faultsOf([folder, ...roots])
  // The entries of a broken file are unknown, so only its fault is reported.
  if (faults.length > 0) return faults
  const reached = roots.map((root) => ({ root, files: reachedFrom(root) }))
  const listed = new Set(reached.flatMap(({ files }) => files))
  const idle = reached.filter(({ files }) => !files.some((file) => !relative(folder, file).startsWith('..')))
  const faultsOfSets = sets
    .map((set) => ({ set, entry: relative(folder, set.file) }))
    .filter(({ set, entry }) => !entry.startsWith('..') && !listed.has(resolve(set.file)))
    .map(({ set, entry }) => {
      const list = kustomizationOf(folder) ?? join(folder, KUSTOMIZATION[0]!)
      const message = `no overlay lists ${entry}, so it is never applied; expected it under resources of ${list}`
      return { check: 'listed', path: 'metadata.name', message, file: set.file, ...set.locate('metadata.name') }
    })
  return [...faultsOfSets, ...(isBeside(sets, folder) ? idle.map(({ root }) => idleFault(root, folder)) : [])]
}

const isBeside = (sets: readonly RateSetFile[], folder: string): boolean =>
  sets.some(({ file }) => !relative(folder, file).startsWith('..'))

/** The fault of an overlay without any rate set: its environment would lose every set that it has. */
function idleFault(root: string, folder: string): LocatedFault {
  const { file, locate } = readKustomization(kustomizationOf(root)!)
  const message = `the overlay takes in no rate set of ${folder}; expected ${relative(root, folder)} under resources`
  return { check: 'listed', path: 'resources', message, file, ...locate('resources') }
}

/** The faults of the kustomizations of some folders. */
const faultsOf = (folders: readonly string[]): LocatedFault[] => {
  const files = new Set(folders.map(kustomizationOf).filter((file) => file !== undefined))
  return [...files].flatMap((file) => readKustomization(file).faults)
}

/** The kustomize folders from which rate sets are published: the overlays, or the folder itself when there are none. */
function overlaysBeside(folder: string): string[] {
  const overlays = join(folder, '../overlays')
  const names = existsSync(overlays) ? readdirSync(overlays) : []
  const found = names.map((name) => join(overlays, name)).filter((each) => kustomizationOf(each) !== undefined)
  return found.length > 0 || kustomizationOf(folder) === undefined ? found : [folder]
}

/** The absolute paths of the files that a kustomize folder includes, directly or through other folders. */
function reachedFrom(folder: string, above: readonly string[] = []): string[] {
  const file = kustomizationOf(folder)
  if (file === undefined || above.includes(resolve(folder))) return []
  return readKustomization(file)
    .entries.map((entry) => resolve(folder, entry))
    .filter((path) => existsSync(path))
    .flatMap((path) => (statSync(path).isDirectory() ? reachedFrom(path, [...above, resolve(folder)]) : [path]))
}

/** The text of a kustomization with one more entry among its resources, after a given entry or at the end. */
export function withResource(text: string, entry: string, after: string): string {
  const lines = text.split('\n')
  const entries = [...lines.entries()].filter(([, line]) => /^\s*- \S/.test(line))
  const [at, line] = entries.find(([, each]) => each.trim() === `- ${after}`) ??
    entries.at(-1) ?? [lines.length - 1, '  -']
  return lines.toSpliced(at + 1, 0, `${/^\s*/.exec(line)![0]}- ${entry}`).join('\n')
}
