import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { compileRateSets } from '#rates/files/compile.ts'
import { readRateSets } from '#rates/files/read.ts'
import { statusLines } from '../../cli/status-lines.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { driveaway } from './driveaway.ts'

const folder = temporaryDirectory('pins')
afterAll(() => folder.remove())
const at = (...path: string[]) => join(folder.path, ...path)
const SETS = ['au/fy27.yaml', 'au-vic/fy27.yaml']

beforeEach(() => {
  for (const side of ['old', 'new']) for (const set of SETS) cpSync(join('rates/sets', set), at(side, set))
})

const PUBLISHED = compileRateSets(readRateSets(SETS.map((set) => join('rates/sets', set)))).digests['au-vic-fy27']!
const OTHER = `sha256:${'b'.repeat(64)}`

function edit(side: string, set: string, from: string, to: string): void {
  const text = readFileSync(at(side, set), 'utf8')
  expect(text).toContain(from)
  writeFileSync(at(side, set), text.replaceAll(from, to))
}

const pin = (side: string, digest: string) =>
  edit(side, 'au-vic/fy27.yaml', '\n  timeZone:', `\n  pin: ${digest}\n  timeZone:`)

const diff = (...args: string[]) => driveaway(['diff', at('old'), at('new'), '--today', '2026-11-21', ...args])

test('a pin is no part of the content', async () => {
  pin('new', OTHER)
  expect((await diff()).stdout).toContain('publish the same content')
})

test.each(['old', 'new'])('diff says of a set that the %s side pins that its change is not published', async (side) => {
  edit('new', 'au-vic/fy27.yaml', '44.20', '45.20')
  pin(side, PUBLISHED)
  const { stdout } = await diff()
  expect(stdout).toContain(`au-vic-fy27: pinned at ${PUBLISHED.slice(0, 19)}: this content is not published`)
  expect(stdout).toMatch(/release sha256:[0-9a-f]{64} once nothing is pinned/)
})

test('diff says of a federal set that a pinned state holds it', async () => {
  edit('new', 'au/fy27.yaml', 'Commonwealth of Australia', 'The Commonwealth of Australia')
  pin('new', PUBLISHED)
  const { stdout } = await diff('--format', 'markdown')
  expect(stdout).toContain(
    '| au-fy27 | held, because au-vic-fy27 imports it and is pinned: this content is not published |',
  )
})

test('diff says that a pinned state holds a federal set, also where the object of the state had moved on before', async () => {
  edit('old', 'au-vic/fy27.yaml', '44.20', '45.20')
  edit('new', 'au-vic/fy27.yaml', '44.20', '45.20')
  pin('old', PUBLISHED)
  edit('new', 'au/fy27.yaml', 'Commonwealth of Australia', 'The Commonwealth of Australia')
  const { stdout } = await diff()
  expect(stdout).toContain('au-fy27: held, because au-vic-fy27 imports it and is pinned: this content is not published')
  expect(stdout).toContain(`au-vic-fy27: pinned at ${PUBLISHED.slice(0, 19)}: this content is not published`)
})

test('diff says of the other states that they wait for the federal set that a pinned one holds', async () => {
  for (const side of ['old', 'new'])
    for (const set of ['au-act/fy27.yaml', 'au-nt/fy27.yaml']) cpSync(join('rates/sets', set), at(side, set))
  edit('new', 'au/fy27.yaml', 'Commonwealth of Australia', 'The Commonwealth of Australia')
  edit('new', 'au-nt/fy27.yaml', 'Northern Territory', 'The Northern Territory')
  pin('old', PUBLISHED)
  const { stdout } = await diff()
  expect(stdout).toContain('au-act-fy27: changed by au-fy27 alone, which is held: this content is not published\n')
  expect(stdout).toContain('au-nt-fy27: changed, but au-fy27, which it imports, is held: published without')
  for (const side of ['old', 'new']) for (const set of ['au-act', 'au-nt']) rmSync(at(side, set), { recursive: true })
})

test('a change to exactly the pinned content is published', async () => {
  edit('old', 'au-vic/fy27.yaml', '44.20', '45.20')
  pin('new', PUBLISHED)
  const { stdout } = await diff()
  expect(stdout).toMatch(/au-vic-fy27: changed\n/)
  expect(stdout).not.toContain('pinned')
})

test('lint names what is pinned, and refuses a pin that is no digest', async () => {
  pin('new', OTHER)
  const lint = () => driveaway(['lint', at('new'), '--rates', at('new')])
  expect((await lint()).stdout).toContain('au-vic-fy27 is pinned at sha256:bbbbbbbbbbbb')
  edit('new', 'au-vic/fy27.yaml', OTHER, 'sha256:12')
  expect(await lint()).toMatchObject({ status: 1, stdout: expect.stringContaining('spec.pin') as string })
})

test('a bundle is never made of content that a pin keeps from publication', async () => {
  await driveaway(['release-key', '--environment', 'staging', '--kid', 'r1', '--out', at('key.json')])
  pin('new', OTHER)
  const { status, stderr } = await driveaway(['bundle', at('new'), '--key', at('key.json'), '-o', at('bundle')])
  expect(stderr).toContain(`au-vic-fy27 is pinned at ${OTHER}, and its content here is ${PUBLISHED}`)
  expect(status).not.toBe(0)
})

test('status says of a pinned set that it is', () => {
  const message = `pinned at ${PUBLISHED}; the object has different content, which is not published`
  const seen = { name: 'au-vic-fy27', ready: 'True', reason: 'Pinned', message, loaded: '1/1' }
  const terminal = { paint: (_: string, text: string) => text } as never
  const lines = statusLines([{ ...seen, since: null, emergency: null, digest: PUBLISHED, behind: [] }], [], terminal)
  expect(lines).toContain(`! au-vic-fy27: ${message}`)
})
