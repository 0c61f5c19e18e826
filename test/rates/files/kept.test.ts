import { build } from 'esbuild'
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { PACKAGES, SOURCES } from '#rates/files/kept.ts'
import { parsedFiles } from '#rates/files/parsed-files.ts'
import { parse } from '#rates/files/rate-set-file.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { HEAD } from './head.ts'

const place = temporaryDirectory('kept')
afterAll(() => place.remove())

const OTHER = `${HEAD}  quotable: false\n`
const CASES = `pricingCode: AU_VIC
cases:
  - name: a car
    source: page 4
    request: { date: "2026-07-01" }
    expect: { CTP: "1.00" }
`

let cache = ''
beforeEach(() => {
  cache = join(mkdtempSync(join(place.path, 'one-')), 'cache')
})

const entries = () => readdirSync(cache).map((name) => join(cache, name))

/** The place of the only kept file, that of `HEAD`. */
function keptHead(): string {
  parsedFiles(cache).parse(HEAD, 'a.yaml')
  const [file, ...others] = entries()
  expect(others).toEqual([])
  return file!
}

const headNow = () => parsedFiles(cache).parse(HEAD, 'a.yaml').spec

test('a kept rate set has the name and the places of the file that is asked for', () => {
  keptHead()
  const again = parsedFiles(cache).parse(HEAD, 'b.yaml')
  const { locate, ...parsed } = parse(HEAD, 'b.yaml')
  expect(again).toEqual({ ...parsed, locate: expect.any(Function) as unknown })
  expect(again.locate('spec.financialYear')).toEqual(locate('spec.financialYear'))
  expect(entries()).toHaveLength(1)
})

test('kept cases have the name of the file that is asked for, and their lines', () => {
  const first = parsedFiles(cache).checkCases(CASES, 'a.yaml')
  expect(first).toMatchObject({ faults: [], cases: [{ file: 'a.yaml', line: 3, figures: { CTP: '1.00' } }] })
  expect(entries()).toHaveLength(1)
  const again = parsedFiles(cache).checkCases(CASES, 'b.yaml')
  expect(again).toEqual({ faults: [], cases: first.cases.map((one) => ({ ...one, file: 'b.yaml' })) })
})

test('a text is kept by its kind: what is a rate set is not taken for cases', () => {
  keptHead()
  expect(parsedFiles(cache).checkCases(HEAD, 'a.yaml').faults).not.toEqual([])
})

test.each([
  ['a repeated key', `${HEAD}  financialYear: 2026-2027\n`],
  ['a bare word of YAML 1.1', `${HEAD}  quotable: no\n`],
])('a rate set with a fault is not kept: %s', (_, text) => {
  const { faults } = parsedFiles(cache).parse(text, 'a.yaml')
  expect(faults).not.toEqual([])
  expect(() => entries()).toThrow('ENOENT')
})

test('a value that JSON would change is not kept', () => {
  const text = `${HEAD}  threshold: .inf\n`
  expect(parsedFiles(cache).parse(text, 'a.yaml')).toMatchObject({ faults: [], spec: { threshold: Infinity } })
  expect(parsedFiles(cache).parse(text, 'a.yaml')).toMatchObject({ spec: { threshold: Infinity } })
})

const forged = (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('2026-2027', '2025-2026'))

test.each<[string, (file: string) => void]>([
  ['has a changed figure', forged],
  ['is cut', (file) => writeFileSync(file, readFileSync(file).subarray(0, -20))],
  ['is empty', (file) => writeFileSync(file, '')],
  ['is a folder', (file) => (rmSync(file), mkdirSync(file))],
  ['is no JSON', (file) => writeFileSync(file, `${readFileSync(file, 'utf8').split('\n')[0]}\n{`)],
  ['is that of another text', (file) => otherIn(file)],
])('a kept file that %s is not used', (_, damage) => {
  const file = keptHead()
  damage(file)
  expect(headNow()).toEqual(parse(HEAD, 'a.yaml').spec)
})

function otherIn(file: string): void {
  parsedFiles(cache).parse(OTHER, 'a.yaml')
  const other = entries().find((each) => each !== file)!
  copyFileSync(other, file)
}

test('a damaged kept file is written again', () => {
  const file = keptHead()
  const before = readFileSync(file, 'utf8')
  forged(file)
  headNow()
  expect(readFileSync(file, 'utf8')).toBe(before)
})

/** The kept files are written again where they are not used. */
function isUsed(file: string): boolean {
  const long = new Date(0)
  utimesSync(file, long, long)
  headNow()
  return statSync(file).mtimeMs === 0
}

test('a kept file that others can write is not used', () => {
  const file = keptHead()
  expect([isUsed(file), statSync(file).mode & 0o777, statSync(cache).mode & 0o777]).toEqual([true, 0o600, 0o700])
  chmodSync(file, 0o620)
  expect(isUsed(file)).toBe(false)
  chmodSync(file, 0o602)
  expect(isUsed(file)).toBe(false)
})

// Only root can give a file away.
test.runIf(process.getuid?.() === 0)('a kept file of another user is not used', () => {
  const file = keptHead()
  chownSync(file, 65_534, 65_534)
  expect(isUsed(file)).toBe(false)
  expect(isUsed(file)).toBe(true)
})

test.each([
  ['below a file', '/dev/null/cache'],
  ['in a file system that takes none', '/proc/driveaway'],
])('a cache %s is no fault', (_, folder) => {
  const { parse: parseText } = parsedFiles(folder)
  for (const text of [HEAD, OTHER]) expect(parseText(text, 'a.yaml').spec).toEqual(parse(text, 'a.yaml').spec)
})

test('a cache that is a link to nothing is no fault', () => {
  symlinkSync('/nowhere', join(dirname(cache), 'link'))
  expect(parsedFiles(join(dirname(cache), 'link')).parse(HEAD, 'a.yaml').spec).toEqual(parse(HEAD, 'a.yaml').spec)
})

test('of a thousand files the older half goes', () => {
  mkdirSync(cache)
  for (let at = 0; at < 1_000; at += 1) {
    const file = join(cache, `${at}.json`)
    writeFileSync(file, '')
    utimesSync(file, at + 1, at + 1)
  }
  parsedFiles(cache).parse(HEAD, 'a.yaml')
  expect(entries()).toHaveLength(501)
  expect(entries()).toContain(join(cache, '999.json'))
  expect(entries()).not.toContain(join(cache, '499.json'))
})

test('a kept file is of one program: every source and package that the parsers import is in its name', async () => {
  const entryPoints = ['rates/files/rate-set-file.ts', 'rates/files/cases.ts']
  const bundled = {
    bundle: true,
    metafile: true,
    write: false,
    outdir: cache,
    platform: 'node',
    format: 'esm',
  } as const
  const { metafile } = await build({ entryPoints, ...bundled, packages: 'external' })
  const sources = Object.keys(metafile.inputs)
  const folders = new Set(sources.map((file) => dirname(file).replace('rates/', '')))
  const packages = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  expect(sources.length).toBeGreaterThan(20)
  expect([...folders].filter((folder) => !SOURCES.includes(folder))).toEqual([])
  const named = packages.filter((path) => !path.startsWith('node:'))
  expect([...new Set(named)].sort()).toEqual(PACKAGES)
})
