import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { driveaway } from './driveaway.ts'

const folder = mkdtempSync(join(tmpdir(), 'driveaway-diff-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SETS = ['au/fy27.yaml', 'au-vic/fy27.yaml']
for (const side of ['old', 'new']) for (const set of SETS) cpSync(join('rates/sets', set), join(folder, side, set))
const [old, now] = [join(folder, 'old'), join(folder, 'new')]

function change(from: string, to: string): void {
  const file = join(now, 'au-vic/fy27.yaml')
  const text = readFileSync('rates/sets/au-vic/fy27.yaml', 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replaceAll(from, to))
}

const diff = (...args: string[]) => driveaway(['diff', old, now, '--today', '2026-11-21', ...args])

test('diff of the same sets says so and names the release', async () => {
  change('44.20', '44.20')
  const { status, stdout } = await diff('--exit-code')
  expect(stdout).toMatch(/publish the same content: sha256:[0-9a-f]{64}\n$/)
  expect(status).toBe(0)
})

test('diff says a changed figure with its source, marks what is past as a correction, prices it and names the digests', async () => {
  change('44.20', '45.20')
  const { status, stdout } = await diff('--exit-code')
  expect(stdout).toMatch(/AU_VIC from 2026-07-01 {2}a correction: it changes days before 2026-11-21/)
  expect(stdout).toMatch(/PLATES\n.*\$44\.20 → \$45\.20\n {4}source: Number plate fees/)
  expect(stdout).toMatch(/PLATES: \d+ quotes, \+1\.00\n.*44\.20 → 45\.20, drive-away /)
  expect(stdout).toMatch(/au-vic-fy27: changed\n {4}sha256:[0-9a-f]{64}\n/)
  expect(status).toBe(1)
})

test('diff says nothing of a correction while the day is to come', async () => {
  change('44.20', '45.20')
  expect((await driveaway(['diff', old, now, '--today', '2026-06-30'])).stdout).not.toContain('correction')
})

test('diff writes tables for a pull request', async () => {
  change('44.20', '45.20')
  const { stdout } = await diff('--format', 'markdown')
  expect(stdout).toContain('| component | what | old | new | source |')
  expect(stdout).toMatch(/\| PLATES \| otherwise: amount \| \$44\.20 \| \$45\.20 \| Number plate fees/)
  expect(stdout).toContain('> **A correction**')
})

test('diff names what follows a changed line, for a person and for a pull request', async () => {
  change('zone: OUTER, amounts: ["495"]', 'zone: OUTER, amounts: ["500"]')
  expect((await diff()).stdout).toContain('INSURANCE_DUTY follows CTP (10 %)')
  expect((await diff('--format', 'markdown')).stdout).toContain('\n\n- INSURANCE_DUTY follows CTP (10 %)')
})

test('diff gives the same as data', async () => {
  change('44.20', '45.20')
  const { changes, prices, sets } = JSON.parse((await diff('--output', 'json')).stdout) as Record<string, object[]>
  expect(changes).toMatchObject([{ component: 'PLATES', old: '$44.20', new: '$45.20', from: '2026-07-01' }])
  expect(prices).toMatchObject([{ component: 'PLATES', least: 100, most: 100 }])
  expect(sets).toMatchObject([{ name: 'au-vic-fy27', wordsOnly: false }])
})

/** Fee units of Victoria that rise on a day of the year, in one side of the comparison. */
function feeUnitsFrom(side: string, day: string): void {
  const file = join(side, 'au-vic/fy27.yaml')
  const [first] = /- \{ value: "17\.27".*\n/.exec(readFileSync('rates/sets/au-vic/fy27.yaml', 'utf8'))!
  const next = first.replace('"17.27"', '"17.40"').replace('{ ', `{ startDate: "${day}", `)
  writeFileSync(file, readFileSync('rates/sets/au-vic/fy27.yaml', 'utf8').replace(first, `${first}        ${next}`))
}

test('diff names the period of a figure that is postponed, for a person and for a pull request', async () => {
  feeUnitsFrom(old, '2027-01-01')
  feeUnitsFrom(now, '2027-02-01')
  try {
    const [lines, markdown] = [(await diff()).stdout, (await diff('--format', 'markdown')).stdout]
    const period = 'postponed from 2027-01-01: $17.40 applies from 2027-02-01'
    expect(lines).toContain(`    value: $17.40 → $17.27, ${period}\n`)
    expect(markdown).toContain(`| FEE_UNIT | value, ${period} | $17.40 | $17.27 |`)
    expect(lines).toContain('AU_VIC from 2027-01-01\n')
  } finally {
    for (const side of ['old', 'new']) for (const set of SETS) cpSync(join('rates/sets', set), join(folder, side, set))
  }
})

test('diff says when only words differ', async () => {
  change('Number plates', 'Plates')
  expect((await diff()).stdout).toContain('only names, descriptions, warnings, sources or examples differ')
})

test('diff compares an example that fails and refuses it; a set that is at fault is not compared', async () => {
  change('value: "17.27"', 'value: "17.37"')
  const failing = await diff()
  expect(failing.stdout).toContain('$17.27 → $17.37')
  expect(failing.stderr).toContain('(examples-pass)')
  expect(failing.status).toBe(1)
  change('upTo: "150000"', 'upTo: "90000"')
  expect(await diff()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('bands-rise') as string })
})

test('diff reads Git revisions, and names one that is not there', async () => {
  change('44.20', '45.20')
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args])
  git('init', '-q')
  git('add', 'new')
  git('commit', '-qm', 'rates')
  const here = process.cwd()
  process.chdir(folder)
  try {
    const { stdout } = await driveaway(['diff', 'old', 'git:HEAD:new', '--output', 'json'])
    expect((JSON.parse(stdout) as { changes: object[] }).changes).toMatchObject([{ component: 'PLATES' }])
    expect(await driveaway(['diff', 'git:nowhere:new', 'old'])).toMatchObject({ status: 2 })
  } finally {
    process.chdir(here)
  }
})

test('diff needs two sides', async () => {
  expect(await driveaway(['diff', old])).toMatchObject({ status: 2 })
  expect(await driveaway(['diff', old, 'nowhere'])).toMatchObject({ status: 2 })
})

test('diff accepts a set that is withdrawn', async () => {
  change('\nspec:\n', '\nspec:\n  withdrawn: true\n')
  const { status, stdout, stderr } = await diff()
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('au-vic-fy27')
})

test('diff says of a withdrawn set that returns that it is published again, and not that it is new', async () => {
  change('\nspec:\n', '\nspec:\n  withdrawn: true\n')
  const { stdout } = await driveaway(['diff', now, old, '--today', '2026-11-21'])
  expect(stdout).toContain('rate set FY27: withdrawn → published again')
  expect(stdout).toContain('  au-vic-fy27: published again\n')
  expect(stdout).not.toContain('STAMP_DUTY')
  expect(stdout).toContain('No price of the portfolio changes.')
})
