import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parse } from 'yaml'
import type { LocatedFault } from './located.ts'
import type { RateSetFile } from './rate-set-file.ts'

const KUSTOMIZATION = ['Kustomization', 'kustomization.yaml', 'kustomization.yml']

/** The file by which kustomize publishes a folder; undefined where the folder has none. */
export const kustomizationOf = (folder: string): string | undefined =>
  KUSTOMIZATION.map((name) => join(folder, name)).find((file) => existsSync(file))

/** Rate set files of a folder that no overlay beside it lists: kustomize never applies them. None where nothing publishes the folder. */
export function unlisted(sets: readonly RateSetFile[], folder: string): LocatedFault[] {
  const roots = overlaysBeside(folder)
  const listed = new Set(roots.flatMap((root) => reachedFrom(root)))
  if (roots.length === 0) return []
  return sets
    .map((set) => ({ set, entry: relative(folder, set.file) }))
    .filter(({ set, entry }) => !entry.startsWith('..') && !listed.has(resolve(set.file)))
    .map(({ set, entry }) => {
      const list = kustomizationOf(folder) ?? join(folder, KUSTOMIZATION[0]!)
      const message = `no overlay lists ${entry}, so it is never applied; expected it under resources of ${list}`
      return { check: 'listed', path: 'metadata.name', message, file: set.file, ...set.locate('metadata.name') }
    })
}

/** The folders of kustomize from which rate sets are published: the overlays, or the folder itself where there are none. */
function overlaysBeside(folder: string): string[] {
  const overlays = join(folder, '../overlays')
  const names = existsSync(overlays) ? readdirSync(overlays) : []
  const found = names.map((name) => join(overlays, name)).filter((each) => kustomizationOf(each) !== undefined)
  return found.length > 0 || kustomizationOf(folder) === undefined ? found : [folder]
}

/** The absolute paths of the files that a folder of kustomize takes in, by way of other folders too. */
function reachedFrom(folder: string, above: readonly string[] = []): string[] {
  const file = kustomizationOf(folder)
  if (file === undefined || above.includes(resolve(folder))) return []
  const { resources, components } = (parse(readFileSync(file, 'utf8')) ?? {}) as Record<string, string[] | undefined>
  const paths = [...(resources ?? []), ...(components ?? [])].map((entry) => resolve(folder, entry))
  return paths
    .filter((path) => existsSync(path))
    .flatMap((path) => (statSync(path).isDirectory() ? reachedFrom(path, [...above, resolve(folder)]) : [path]))
}

/** The text of a kustomization with one more entry among its resources, behind another one, or behind all. */
export function withResource(text: string, entry: string, after: string): string {
  const lines = text.split('\n')
  const entries = [...lines.entries()].filter(([, line]) => /^\s*- \S/.test(line))
  const [at, line] = entries.find(([, each]) => each.trim() === `- ${after}`) ?? entries.at(-1) ?? [lines.length - 1, '  -']
  return lines.toSpliced(at + 1, 0, `${/^\s*/.exec(line)![0]}- ${entry}`).join('\n')
}
