import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

// The runner of the tests has a parser of its own, and takes sources that Node refuses when a program starts.
test('Node itself strips the types of every source', () => {
  const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  expect(files.length).toBeGreaterThan(500)
  const refused = files.flatMap((file) => {
    try {
      stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'))
      return []
    } catch (error) {
      return [`${file}: ${(error as Error).message}`]
    }
  })
  expect(refused).toEqual([])
})
