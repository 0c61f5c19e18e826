import { readFileSync } from 'node:fs'
import type { SideTexts } from '#explorer/first-look.ts'
import { yamlFiles } from '#rates/files/yaml-files.ts'
import { filesAt, revisionIn } from './git-revision.ts'

/** The rate set files of a folder or of `git:REV[:path]`; undefined for what cannot be read, or is another kind of side. */
export function sideTexts(label: string): SideTexts | undefined {
  try {
    const at = revisionIn(label)
    if (at) return { label, texts: filesAt(at.revision, at.path).map(({ text }) => text), isFixed: true }
    return { label, texts: yamlFiles([label]).map((file) => readFileSync(file, 'utf8')), isFixed: false }
  } catch {
    return undefined
  }
}
