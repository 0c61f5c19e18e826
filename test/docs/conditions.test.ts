import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONDITION_REASONS, EVENT_REASONS } from '../../operator/status/reasons.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/conditions.md'), 'utf8')
const sources = [...globSync('operator/**/*.ts', { cwd: root }), 'rates/checks/contained.ts'].map((file) =>
  readFileSync(join(root, file), 'utf8'),
)

/** The names in code style of the first column of the table under a heading. */
function explained(heading: string): string[] {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
}

const found = (pattern: RegExp) => [
  ...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))),
]

test('the page explains every reason that a condition can have, and every reason of an event, and no other', () => {
  expect(explained('Reasons of conditions').sort()).toEqual([...CONDITION_REASONS].sort())
  expect(explained('Events').sort()).toEqual([...EVENT_REASONS].sort())
})

test('every reason in the code of the operator is one of these', () => {
  const known: readonly string[] = [...CONDITION_REASONS, ...EVENT_REASONS]
  const reasons = found(/reason: '(\w+)'/g)
  expect(reasons).toContain('ServerRestored')
  expect(reasons.filter((reason) => !known.includes(reason))).toEqual([])
})

test('the page explains every check of the operator, and no other', () => {
  const named = found(/check: '([a-z-]+)'/g)
  const given = found(/\bfault\('([a-z-]+)'/g)
  const constants = found(/^(?:export )?const [A-Z_]+ = '((?:check|content|import|not|shard)-[a-z]+)'/gm)
  expect(explained('Checks of the operator').sort()).toEqual([...new Set([...named, ...given, ...constants])].sort())
})
