import { existsSync, readFileSync, statSync } from 'node:fs'
import type { SideTexts } from '#explorer/first-look.ts'
import { yamlFiles } from '#rates/files/yaml-files.ts'
import { filesAt, revisionIn } from './git-revision.ts'

/** Whether a side is a bundle: a file that is not YAML. */
export const isBundle = (label: string): boolean =>
  existsSync(label) && statSync(label).isFile() && !/\.ya?ml$/.test(label)

/** The rate set files of a folder or of `git:REV[:path]`; undefined for what cannot be read, or is another kind of side. */
export function sideTexts(label: string): SideTexts | undefined {
  try {
    const at = revisionIn(label)
    if (at) return { label, texts: filesAt(at.revision, at.path).map(({ text }) => text), isFixed: true }
    if (isBundle(label)) return undefined
    return { label, texts: yamlFiles([label]).map((file) => readFileSync(file, 'utf8')), isFixed: false }
  } catch {
    return undefined
  }
}
