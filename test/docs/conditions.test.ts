import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONDITION_REASONS, CONDITIONS, EVENT_REASONS } from '#crds/conditions.ts'
import { OPERATOR_CHECKS } from '#crds/operator-checks.ts'
import { checkAll } from '#rates/checks/check-all.ts'
import { checkRateSet } from '#rates/checks/check-rate-set.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { parse } from '#rates/files/rate-set-file.ts'
import { firstFaults, rateSetChecks } from '../../operator/rate-set/checks.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/conditions.md'), 'utf8')
const alerts = readFileSync(join(root, 'docs/alerts.md'), 'utf8')
const sources = [...globSync('operator/**/*.ts', { cwd: root }), 'rates/checks/contained.ts'].map((file) =>
  readFileSync(join(root, file), 'utf8'),
)

/** The names in code style of the first column of the table under a heading. */
function explained(heading: string): string[] {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name)
}

const found = (pattern: RegExp) => [
  ...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))),
]

test('the page explains every reason that a condition can have, and every reason of an event, and no other', () => {
  expect(explained('Reasons of conditions')).toEqual(Object.keys(CONDITION_REASONS))
  expect(explained('Events')).toEqual(Object.keys(EVENT_REASONS))
})

test('every reason in the code of the operator is one of these, and each of these is in the code', () => {
  const known = [...Object.keys(CONDITION_REASONS), ...Object.keys(EVENT_REASONS)]
  expect(found(/reason: '(\w+)'/g).filter((reason) => !known.includes(reason))).toEqual([])
  expect(known.filter((reason) => found(/'(\w+)'/g).every((name) => name !== reason))).toEqual([])
})

test('every condition that the operator writes is explained, and each reason is on conditions that there are', () => {
  const types = found(/type: '([A-Z]\w+)', status/g).filter(
    (type) => !['Repaired', 'Refused', 'Restored'].includes(type),
  )
  expect(types.filter((type) => !Object.keys(CONDITIONS).includes(type))).toEqual([])
  const on = new Set(Object.values(CONDITION_REASONS).flatMap((reason) => [...reason.on]))
  expect([...on].sort()).toEqual(Object.keys(CONDITIONS).sort())
})

test('the page explains every check of the operator, and no other', () => {
  const named = found(/check: '([a-z-]+)'/g)
  const given = found(/\bfault\('([a-z-]+)'/g)
  const constants = found(/^(?:export )?const [A-Z_]+ = '([a-z-]+)' satisfies OperatorCheck/gm)
  expect([...new Set([...named, ...given, ...constants])].sort()).toEqual(Object.keys(OPERATOR_CHECKS).sort())
  expect(explained('Checks of the operator')).toEqual(Object.keys(OPERATOR_CHECKS))
})

const written = readFileSync(join(root, 'rates/sets/au-vic/fy27.yaml'), 'utf8')
const mistakes: [string, string, string][] = [
  ['a wrong year', 'financialYear: "2026-2027"', 'financialYear: "2026-2028"'],
  ['a wrong name', 'name: au-vic-fy27', 'name: au-vic-fy28'],
  ['a missing import', 'imports: [AU]', 'imports: [AU]'],
]
test.each(mistakes)('%s has the same check in the operator and in driveaway lint', (_, right, wrong) => {
  expect(written).toContain(right)
  const file = parse(written.replace(right, wrong), 'au-vic/fy27.yaml')
  const linted = checkAll([file]).map(({ check }) => check)
  const checked = { name: file.name, spec: file.spec as RateSetSpec, imports: [] }
  const [fault] = firstFaults(rateSetChecks(checkRateSet), checked)
  expect(linted).toContain(fault?.check)
})

test('each alert that the page leads to has a section', () => {
  const named = [...page.matchAll(/\[(Driveaway\w+)\]\(alerts\.md#(\w+)\)/g)]
  expect(named.length).toBeGreaterThan(0)
  for (const [, name = '', anchor] of named) {
    expect(alerts).toContain(`## ${name}\n`)
    expect(anchor).toBe(name.toLowerCase())
  }
})
