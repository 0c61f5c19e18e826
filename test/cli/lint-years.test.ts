import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { driveaway } from './driveaway.ts'

// A copy of the federal sets, as the overlays publish them, in which one thing at a time is wrong.
const folder = temporaryDirectory('lint-years')
afterAll(() => folder.remove())
const rates = join(folder.path, 'rates')
const sets = join(rates, 'sets')
const FY27 = join(sets, 'au/fy27.yaml')

beforeEach(() => {
  mkdirSync(sets, { recursive: true })
  cpSync('rates/overlays', join(rates, 'overlays'), { recursive: true })
  cpSync('rates/sets/au', join(sets, 'au'), { recursive: true })
  cpSync('rates/sets/Kustomization', join(sets, 'Kustomization'))
})

const edit = (file: string, from: string, to: string) => {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

const lint = (...options: string[]) => driveaway(['lint', join(sets, 'au'), '--rates', sets, ...options])

test('the sets as they are have no faults, and no figure that is carried over', async () => {
  const { status, stdout } = await lint()
  expect(stdout).toMatch(/^3 rate sets, \d+ examples, no faults\n$/)
  expect(status).toBe(0)
})

test('a set that no overlay lists is refused, with the list that lacks it', async () => {
  edit(join(sets, 'Kustomization'), '  - au/fy27.yaml\n', '')
  const { status, stdout } = await lint()
  const list = join(sets, 'Kustomization')
  expect(stdout).toContain(
    `${FY27}:7:3: metadata.name: no overlay lists au/fy27.yaml, so it is never applied; expected it under resources of ${list} (listed)`,
  )
  expect(stdout).not.toContain('au/fy26.yaml')
  expect(status).toBe(1)
})

test('a list that no overlay takes in lists nothing', async () => {
  for (const name of ['dev', 'staging', 'production-apac', 'production-eu'])
    edit(join(rates, 'overlays', name, 'kustomization.yaml'), '  - ../../sets\n', '  - attestations\n')
  const { stdout } = await lint()
  expect(stdout.match(/no overlay lists/g)).toHaveLength(3)
  expect(stdout.match(/the overlay takes in no rate set/g)).toHaveLength(4)
})

test('one overlay that takes in no rate set is refused, with its line, though others list all', async () => {
  const file = join(rates, 'overlays/staging/kustomization.yaml')
  edit(file, 'resources:\n  - ../../sets\n', 'resources: []\n')
  const { status, stdout } = await lint()
  const words = `${file}:5:1: resources: the overlay takes in no rate set of ${sets}; expected ../../sets under resources (listed)`
  expect(stdout).toContain(words)
  expect(stdout.match(/\(listed\)/g)).toHaveLength(1)
  expect(status).toBe(1)
})

test.each(['sets/Kustomization', 'overlays/staging/kustomization.yaml'])(
  'a broken file of kustomize is a fault with its place: %s',
  async (name) => {
    const file = join(rates, name)
    edit(file, 'resources:\n', 'resources: [\n')
    const { status, stdout, stderr } = await lint()
    expect(stdout).toMatch(new RegExp(`^${file}:\\d+:\\d+: .*\\(yaml\\)$`, 'm'))
    expect(stderr).toMatch(/^\d+ faults? in 3 rate sets/)
    expect(status).toBe(1)
    writeFileSync(file, 'resources: ../../sets\n')
    expect((await lint()).stdout).toContain(`${file}:1:1: resources: expected a list of files and folders`)
  },
)

test('a set in a folder that nothing publishes need not be listed', async () => {
  const { stdout } = await driveaway(['lint', FY27, '--rates', join(sets, 'au')])
  expect(stdout).toContain('no faults')
})

test('a verification that is still to come is refused, with its line', async () => {
  const line =
    readFileSync(FY27, 'utf8')
      .split('\n')
      .findIndex((each) => each.includes('verifiedOn: "2026-11-22"')) + 1
  const { stdout } = await lint('--today', '2026-11-21')
  expect(stdout).toContain(`${FY27}:${line}:9: `)
  expect(stdout).toContain('2026-11-22 is after today, 2026-11-21; expected the day of the comparison (review-dates)')
  expect((await lint('--today', '2026-11-22')).stdout).toContain('no faults')
})

test('figures that are carried over are counted', async () => {
  edit(
    FY27,
    'evidence: derived\n          charge:',
    'evidence: estimate\n          warning: "Carried over from 2025-2026, not verified: Luxury car tax."\n          charge:',
  )
  const { status, stdout } = await lint()
  expect(stdout).toMatch(/no faults\n1 figure carried over and not verified\n$/)
  expect(status).toBe(0)
  const { carriedOver } = JSON.parse((await lint('--output', 'json')).stdout) as { carriedOver: number }
  expect(carriedOver).toBe(1)
})
