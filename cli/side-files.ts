import { existsSync, readFileSync, statSync } from 'node:fs'
import type { SideFiles } from '#explorer/first-look.ts'
import { yamlFiles } from '#rates/files/yaml-files.ts'
import { filesAt, revisionIn } from './git-revision.ts'

/** Whether a side is a bundle: a file that is not YAML. */
export const isBundle = (label: string): boolean =>
  existsSync(label) && statSync(label).isFile() && !/\.ya?ml$/.test(label)

/** The context of `context:NAME`; undefined for another label. */
export const contextIn = (label: string): string | undefined => /^context:(.*)$/s.exec(label)?.[1]

/**
 * The rate set files of a folder or of `git:REV[:path]`, or the objects of `context:NAME`; undefined for what cannot be
 * read, or is another kind of side. Throws WrongCall and KubeApiError for a cluster that cannot be read: to ask again
 * would take as long again.
 */
export async function sideFiles(label: string): Promise<SideFiles | undefined> {
  const context = contextIn(label)
  if (context !== undefined) {
    const { readObjects } = await import('./cluster.ts')
    return { label, files: await readObjects(context), isFixed: true }
  }
  try {
    const at = revisionIn(label)
    if (at) return { label, files: filesAt(at.revision, at.path).map(({ text }) => text), isFixed: true }
    if (isBundle(label)) return undefined
    return { label, files: yamlFiles([label]).map((file) => readFileSync(file, 'utf8')), isFixed: false }
  } catch {
    return undefined
  }
}
