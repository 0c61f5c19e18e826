import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'driveaway-coverage-'))
const rates = join(folder, 'sets')
const page = join(folder, 'coverage.md')

beforeAll(() => {
  for (const set of ['au', 'au-vic']) cpSync(`rates/sets/${set}/fy27.yaml`, join(rates, set, 'fy27.yaml'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function coverage(...args: string[]) {
  const command = ['cli/main.ts', 'coverage', '--rates', rates, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('coverage prints the page that it writes, and a page that it wrote is in order', () => {
  expect(coverage('--write', page)).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(coverage().stdout).toBe(readFileSync(page, 'utf8'))
  expect(coverage('--check', page)).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('coverage --check refuses a page that the rate sets do not make, and says how it is made', () => {
  coverage('--write', page)
  writeFileSync(page, readFileSync(page, 'utf8').replace('secondary', 'official'))
  const { status, stderr } = coverage('--check', page)
  expect(stderr).toContain(`driveaway coverage --write ${page}`)
  expect(status).toBe(1)
})

test('coverage --on a day of the year prints a line for each rule in force', () => {
  const { status, stdout } = coverage('--on', '2027-06-30')
  expect(stdout).toMatch(/^AU_VIC +STAMP_DUTY +2026-07-01 to 2027-06-30 +priced +secondary/m)
  expect(status).toBe(0)
})

test('coverage --on a day that no set covers names what is missing and fails', () => {
  const { status, stdout } = coverage('--on', '2027-07-01')
  expect(stdout).toMatch(/^AU_VIC +all \d+ components +MISSING$/m)
  expect(status).toBe(1)
})

test('coverage --on with json answers the same as data', () => {
  const { codes } = JSON.parse(coverage('--on', '2027-06-30', '--output', 'json').stdout) as {
    codes: { pricingCode: string; set: string; rules: { ruleId: string; reviewBy: string; pastReview: boolean }[] }[]
  }
  expect(codes.map(({ set }) => set)).toEqual(['au-fy27', 'au-vic-fy27'])
  expect(codes[1]?.rules[0]).toMatchObject({
    ruleId: 'AU_VIC_STAMP_DUTY_FY27',
    reviewBy: '2027-06-01',
    pastReview: true,
  })
})

test('coverage with json gives every set, in place of the page', () => {
  const sets = JSON.parse(coverage('--output', 'json').stdout) as { name: string; rules: object[] }[]
  expect(sets.map(({ name }) => name)).toEqual(['au-fy27', 'au-vic-fy27'])
})

test('coverage refuses sets with a fault, with file and line', () => {
  const file = join(rates, 'au-vic', 'fy27.yaml')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('upTo: "150000"', 'upTo: "90000"'))
  const { status, stderr } = coverage()
  writeFileSync(file, text)
  expect(stderr).toContain(`${file}:`)
  expect(status).toBe(1)
})

test('a wrong call of coverage says how it is called', () => {
  const wrong = [
    ['--on', '2027-02-29'],
    ['--on', '2027-02-28', '--write', page],
    ['--output', 'yaml'],
  ]
  for (const args of wrong) {
    expect(coverage(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining('usage:') as string })
  }
})

test('a reader that leaves early is not a fault', () => {
  const command = `${process.execPath} cli/main.ts coverage --rates ${rates} | true`
  expect(spawnSync('sh', ['-c', command], { encoding: 'utf8' })).toMatchObject({ stdout: '', stderr: '' })
})
