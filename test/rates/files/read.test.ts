import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { yamlFiles } from '../../../rates/files/yaml-files.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'

test('a directory means its YAML files, but for those of build tools and what is hidden', () => {
  const folder = temporaryDirectory('read')
  try {
    const at = (...path: string[]) => join(folder.path, ...path)
    for (const directory of ['au', '..2026_07_01']) mkdirSync(at(directory))
    for (const file of ['b.yaml', 'au/a.yml', 'au/kustomization.yaml', '..2026_07_01/c.yaml', 'notes.md']) {
      writeFileSync(at(file), '')
    }
    // An editor's lock is a link to nothing; a mounted ConfigMap has links into a hidden directory.
    symlinkSync('somebody@host.4711', at('au', '.#a.yml'))
    symlinkSync('..2026_07_01/c.yaml', at('c.yaml'))
    expect(yamlFiles([folder.path])).toEqual([at('au/a.yml'), at('b.yaml'), at('c.yaml')])
    expect(yamlFiles([at('..2026_07_01')])).toEqual([at('..2026_07_01/c.yaml')])
  } finally {
    folder.remove()
  }
})
