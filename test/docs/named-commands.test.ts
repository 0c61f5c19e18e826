import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../../cli/commands.ts'

const MAKE = /(?<![\w-])make ([a-z][a-z0-9-]*)/g
const DRIVEAWAY = /(?:\.\/|`)driveaway ([a-z][a-z-]*)/g

const pages = ['README.md', ...globSync('docs/*.md')]
const makefile = readFileSync('Makefile', 'utf8')
const targets = [...makefile.matchAll(/^([a-z][a-z0-9-]*):.*## /gm)].map(([, target]) => target)

/** What a page calls in code, in a line or in a block, by this program. */
function calledBy(program: RegExp, page: string): string[] {
  const code = [...readFileSync(page, 'utf8').matchAll(/```[^]*?```|`[^`\n]+`/g)].map(([text]) => text).join('\n')
  return [...code.matchAll(program)].map(([, name = '']) => name)
}

test.each(pages)('each target of make that %s names is one of the Makefile', (page) => {
  const named = calledBy(MAKE, page)
  expect(named.filter((name) => !targets.includes(name))).toEqual([])
})

test.each(pages)('each command of driveaway that %s names is one that its help has', (page) => {
  const named = calledBy(DRIVEAWAY, page)
  const known = ['help', ...Object.keys(commands)]
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test('what the two tests above look for is found where it stands', () => {
  expect(calledBy(MAKE, 'README.md')).toEqual(expect.arrayContaining(['run', 'up', 'down', 'test', 'e2e', 'verify']))
  expect(calledBy(DRIVEAWAY, 'docs/gitops.md')).toEqual(expect.arrayContaining(['lint', 'test', 'diff', 'promote']))
})
