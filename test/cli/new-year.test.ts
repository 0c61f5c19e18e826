import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { driveaway } from './driveaway.ts'

// A copy of what the repository has of the federation and of one territory.
const folder = temporaryDirectory('new-year')
afterAll(() => folder.remove())
const rates = join(folder.path, 'rates')
const inRates = (path: string) => join(rates, path)
const where = ['--rates', inRates('sets'), '--cases', inRates('cases')]
const read = (path: string) => readFileSync(inRates(path), 'utf8')

beforeEach(() => {
  rmSync(rates, { recursive: true, force: true })
  for (const path of ['overlays', 'sets/Kustomization', 'sets/au', 'sets/au-act', 'cases/au-act'])
    cpSync(join('rates', path), inRates(path), { recursive: true })
})

const newYear = (...args: string[]) => driveaway(['new-year', ...args, ...where])

test(
  'the federal set, then a territory: listed, without a fault, and every case holds',
  { timeout: 60_000 },
  async () => {
    const federal = await newYear('AU', '2028')
    expect(federal).toMatchObject({ status: 0, stderr: '' })
    expect(federal.stdout).toMatch(/au\/fy28\.yaml: \d+ figures carried over from au-fy27, \d+ examples\n/)
    const { stdout, status } = await newYear('AU_ACT', '2028')
    expect(status).toBe(0)
    expect(stdout).toMatch(/Kustomization: lists au-act\/fy28\.yaml\n/)
    expect(stdout).toMatch(
      / {2}\d+ left out, because the carried-over figures give other results:\n {4}A new car of 131 g\n/,
    )
    expect(stdout).toMatch(/cases\/au-act\/fy28\/registration\.yaml: \d+ cases\n/)
    expect(read('sets/Kustomization')).toContain('  - au-act/fy27.yaml\n  - au-act/fy28.yaml\n  - au-nsw/fy25.yaml\n')
    const lint = await driveaway(['lint', inRates('sets'), inRates('cases'), '--rates', inRates('sets')])
    expect(lint.stdout).toMatch(/no faults\n\d\d figures carried over and not verified\n$/)
    const proof = await driveaway(['test', inRates('sets'), inRates('cases'), '--rates', inRates('sets')])
    expect(proof.stdout).toContain('all pass')
  },
)

test('--all names everything that is left out', async () => {
  await newYear('AU', '2028')
  const { stdout } = await newYear('AU_ACT', '2028', '--all')
  expect(stdout).toContain('    Category C on 31 January 2027\n')
  expect(stdout).not.toContain('more, which')
})

const refusals: [what: string, args: string[], status: number, words: string][] = [
  ['a year that is there', ['AU_ACT', '2027'], 1, 'au-act-fy27 exists already: '],
  ['an import that is not there yet', ['AU_ACT', '2028'], 1, 'first: driveaway new-year AU 2028'],
  ['a year further on', ['AU_ACT', '2030'], 1, 'first: driveaway new-year AU_ACT 2028'],
  ['a year before the first', ['AU', '2024'], 1, 'its earliest is of 2024-2025'],
  ['an unknown pricing code', ['AU_XX', '2028'], 2, 'there is no rate set of AU_XX'],
  ['what is no year', ['AU_ACT', 'FY28'], 2, 'FY28 is not a year such as 2028'],
  ['no year', ['AU_ACT'], 2, 'expected a pricing code and a year'],
]

test.each(refusals)('refused, and nothing is written: %s', async (_, args, status, words) => {
  const answer = await newYear(...args)
  expect(answer.stderr).toContain(words)
  expect(answer).toMatchObject({ status, stdout: '' })
  expect(read('sets/Kustomization')).toBe(readFileSync('rates/sets/Kustomization', 'utf8'))
  expect(existsSync(inRates('sets/au/fy28.yaml'))).toBe(false)
})

test('a set with faults is not carried over', async () => {
  writeFileSync(inRates('sets/au/fy27.yaml'), read('sets/au/fy27.yaml').replace('"3255.60"', '"3255.61"'))
  const { status, stderr } = await newYear('AU', '2028')
  expect(status).toBe(1)
  expect(stderr).toContain('au-fy27 has faults that the new set would inherit:')
  expect(stderr).toContain('(examples-pass)')
})

test('orders about the publication of the last year are not carried over, and are named', async () => {
  const pin = `sha256:${'1'.repeat(64)}`
  const whole = await newYear('AU', '2028')
  const plain = read('sets/au/fy28.yaml')
  rmSync(inRates('sets/au/fy28.yaml'))
  const text = read('sets/au/fy27.yaml').replace('\n  timeZone:', `\n  pin: ${pin}\n  withdrawn: true\n  timeZone:`)
  writeFileSync(inRates('sets/au/fy27.yaml'), text)
  const { stdout, status } = await newYear('AU', '2028')
  expect(status).toBe(0)
  expect(read('sets/au/fy28.yaml')).toBe(plain)
  expect(stdout).toContain('spec.pin of au-fy27 is not carried over\n  spec.withdrawn of au-fy27 is not carried over\n')
  expect(whole.stdout).not.toContain('spec.')
})

test.each([
  ['the set that it is made from', 'AU', 'sets/au/fy27.yaml'],
  ['an imported set', 'AU_ACT', 'sets/au/fy27.yaml'],
])('%s cannot be read: its fault is named, not that the year is missing', async (_, code, file) => {
  writeFileSync(inRates(file), read(file).replace('\n  timeZone:', '\n  jurisdiction: again\n  timeZone:'))
  const { stderr, stdout, status } = await newYear(code, '2028')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain(`${inRates(file)} cannot be read as a rate set of one financial year; see: driveaway lint\n`)
  expect(stderr).toMatch(/au\/fy27\.yaml:\d+:3: the key is repeated in this map.*\(duplicate-key\)/)
  expect(stderr).not.toContain('first: driveaway new-year')
})

test('a file of the new year that cannot be read is not written over', async () => {
  writeFileSync(inRates('sets/au/fy28.yaml'), `${read('sets/au/fy27.yaml')}  pricingCode: AU\n`)
  const before = read('sets/au/fy28.yaml')
  expect(await newYear('AU', '2028')).toMatchObject({ status: 1, stdout: '' })
  expect(read('sets/au/fy28.yaml')).toBe(before)
})

test('a broken Kustomization is named, and nothing is written', async () => {
  const broken = read('sets/Kustomization').replace('resources:\n', 'resources: [\n')
  writeFileSync(inRates('sets/Kustomization'), broken)
  const { status, stdout, stderr } = await newYear('AU', '2028')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain(`${inRates('sets/Kustomization')} cannot be read, and is to list the new set:\n`)
  expect(read('sets/Kustomization')).toBe(broken)
  expect(existsSync(inRates('sets/au/fy28.yaml'))).toBe(false)
})
