import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { driveaway } from './driveaway.ts'

const folder = mkdtempSync(join(tmpdir(), 'driveaway-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

test('test runs the examples of the sets and the cases that it is given, and counts them', async () => {
  const { status, stdout } = await driveaway(['test', 'rates/sets/au-vic', 'rates/cases/au-vic/dates.yaml'])
  expect(stdout).toMatch(/^\d\d+ examples, \d\d+ cases in 4 files: all pass\n$/)
  expect(status).toBe(0)
})

// 404 units of $200 at $8.40 (Duties Act 2000 (Vic) s 218) are 3,393.60: the case is wrong by ten cents.
test('test shows of a failing case what was expected, what came out, how, and by what it was expected', async () => {
  const text = readFileSync('rates/cases/au-vic/dates.yaml', 'utf8')
  const wrong = text.replace('STAMP_DUTY: "3393.60"', 'STAMP_DUTY: "3393.70"')
  const file = written('dates.yaml', wrong)
  const line = wrong.split('\n').findIndex((one) => one.includes('name: 80,700 on 1 July 2026')) + 1
  const { status, stdout } = await driveaway(['test', file])
  expect(stdout).toContain(`${file}:${line}: 80,700 on 1 July 2026\n    STAMP_DUTY: expected 3393.70, got 3393.60\n`)
  expect(stdout).toMatch(/on DUTIABLE_VALUE 80,700\.00 · rules\[0\]\.cases\[0\]/)
  expect(stdout).toContain('expected by: not above 80,809, 404 x 8.40')
  expect(status).toBe(1)
})

// 20.42 x 17.27 is 352.6534, to 10 cents 352.70; 20.42 x 17.37 is 354.6954.
test('test shows of a failing example the explained line', async () => {
  const file = written(
    'vic.yaml',
    readFileSync('rates/sets/au-vic/fy27.yaml', 'utf8').replace('value: "17.27"', 'value: "17.37"'),
  )
  const { status, stdout } = await driveaway(['test', file])
  expect(stdout).toMatch(/REGISTRATION: expected 352\.70, got 354\.70\n.*\n +\$354\.6954 · rounded to a multiple of \$0\.10 = \$354\.70 · /)
  expect(status).toBe(1)
})

test('test gives every result as data', async () => {
  const { stdout } = await driveaway(['test', 'rates/sets/au/fy27.yaml', '--output', 'json'])
  const { passed, failed, results } = JSON.parse(stdout) as { passed: number; failed: number; results: object[] }
  expect({ passed, failed }).toEqual({ passed: results.length, failed: 0 })
  expect(results[0]).toMatchObject({ kind: 'example', file: 'rates/sets/au/fy27.yaml', passed: true })
})

test('test does not run with sets that are at fault, and says where', async () => {
  const file = written(
    'falling.yaml',
    readFileSync('rates/sets/au-vic/fy27.yaml', 'utf8').replace('"150000"', '"90000"'),
  )
  const { status, stderr } = await driveaway(['test', file])
  expect(stderr).toContain('band edge 90000 is not above 100000')
  expect(status).toBe(1)
})
