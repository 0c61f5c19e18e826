import { existsSync, readFileSync, statSync } from 'node:fs'
import type { SideFiles } from '#explorer/first-look.ts'
import { yamlFiles } from '#rates/files/yaml-files.ts'
import { filesAt, revisionIn } from './git-revision.ts'
import { WrongCall } from './help.ts'

/** Whether a side is a bundle: a file that is not YAML. */
export const isBundle = (label: string): boolean =>
  existsSync(label) && statSync(label).isFile() && !/\.ya?ml$/.test(label)

/** The context of `context:NAME`; undefined for another label. */
export const contextIn = (label: string): string | undefined => /^context:(.*)$/s.exec(label)?.[1]

/** Throws WrongCall for a path that does not exist. */
export function checkExists(path: string): void {
  if (!existsSync(path)) throw new WrongCall(`there is no ${path}; a side is a folder, git:REV[:path] or context:NAME`)
}

/** Throws WrongCall for a bundle without the keys that are trusted. */
export function checkKeys(bundle: string, keysFile: string | undefined): asserts keysFile is string {
  if (keysFile === undefined)
    throw new WrongCall(`${bundle} is a bundle: --keys FILE with the trusted keys is expected`)
}

/** Throws WrongCall for a wrong side, as far as that is known before anything is read or asked for. */
export function checkSide(label: string, keysFile: string | undefined): void {
  if (revisionIn(label) || contextIn(label) !== undefined) return
  checkExists(label)
  if (isBundle(label)) checkKeys(label, keysFile)
}

/**
 * The rate set files of a folder or of `git:REV[:path]`, or the objects of `context:NAME`; undefined for what cannot be
 * read, or is another kind of side. Throws WrongCall and ServerFault for a cluster that cannot be read: to ask again
 * would take as long again.
 */
export async function sideFiles(label: string, signal?: AbortSignal): Promise<SideFiles | undefined> {
  const context = contextIn(label)
  if (context !== undefined) {
    const { readObjects } = await import('./cluster.ts')
    return { label, files: await readObjects(context, signal), isFixed: true }
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
