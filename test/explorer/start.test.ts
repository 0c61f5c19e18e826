import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sideFiles } from '../../cli/side-files.ts'
import { firstLook } from '#explorer/first-look.ts'
import { createFolder } from '#explorer/follow-folder.ts'
import type { ExplorerRates } from '#explorer/served.ts'
import { keptBelow } from '#rates/files/kept.ts'
import { parsedFiles } from '#rates/files/parsed-files.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'

// The start of `driveaway explore`: rates first, the checks after them, and what was parsed kept for the next start.
const place = temporaryDirectory('explorer-start')
const [folder, cache] = [join(place.path, 'sets'), join(place.path, 'cache')]
const victoria = join(folder, 'au-vic/fy27.yaml')
let before = ''
beforeAll(() => {
  cpSync('rates/sets', folder, { recursive: true })
  before = readFileSync(victoria, 'utf8')
})
afterAll(() => place.remove())

const write = (text: string) => writeFileSync(victoria, text)
const checkedOf = (one: ReturnType<typeof createFolder>) =>
  new Promise<ExplorerRates>((resolve, reject) => void one.check(resolve).catch(reject))

test('the rates are there before their files are checked, and the faults follow', async () => {
  write(before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
  const one = createFolder(folder, parsedFiles(cache))
  const first = one.read()
  expect([first.sets.length > 20, first.unchecked, first.faults]).toEqual([true, true, []])
  const checked = await checkedOf(one)
  expect(checked).not.toHaveProperty('unchecked')
  expect([checked.release, checked.outdated]).toEqual([first.release, false])
  expect(checked.faults.join('\n')).toMatch(/fy27\.yaml:\d+.*STAMP_DUTY/)
  write(before)
})

test('an edit before the checks is checked itself; a fault of it leaves the rates of before, and the other files unchecked', async () => {
  const one = createFolder(folder, parsedFiles(cache))
  const { release } = one.read()
  write(before.replace('  financialYear: "2026-2027"', '  financialYear: "2026-2027"\n  colour: red'))
  const edited = one.read()
  expect([edited.release, edited.outdated, edited.unchecked]).toEqual([release, true, true])
  expect(edited.faults.join('\n')).toMatch(/fy27\.yaml:\d+.*colour/)
  write(before)
  expect(one.read()).toMatchObject({ release, outdated: false, faults: [] })
})

test('a second file of the same set is a fault from when it is there until it is gone, whichever of the two changed', async () => {
  const one = createFolder(folder, parsedFiles(cache))
  const { release } = one.read()
  await checkedOf(one)
  const copy = join(folder, 'au-vic/fy27-copy.yaml')
  try {
    cpSync(victoria, copy)
    const said = /fy27\.yaml:\d+.*au-vic-fy27 is already defined in .*fy27-copy\.yaml/
    const both = one.read()
    expect([both.release, both.outdated]).toEqual([release, true])
    expect(both.faults.join('\n')).toMatch(said)
    // An edit of another file does not hide it.
    const other = join(folder, 'au-nt/fy27.yaml')
    const text = readFileSync(other, 'utf8')
    writeFileSync(other, `${text}# looked at\n`)
    expect(one.read().faults.join('\n')).toMatch(said)
    writeFileSync(other, text)
    expect(() => createFolder(folder, parsedFiles(cache)).read()).toThrow(said)
  } finally {
    rmSync(copy, { force: true })
  }
  expect(one.read()).toMatchObject({ release, outdated: false, faults: [] })
})

test('a removed set is a fault of each set that imports it, with file and line', async () => {
  const one = createFolder(folder, parsedFiles(cache))
  const { release } = one.read()
  await checkedOf(one)
  const federal = join(folder, 'au/fy27.yaml')
  const text = readFileSync(federal, 'utf8')
  try {
    rmSync(federal)
    const without = one.read()
    expect([without.release, without.outdated]).toEqual([release, true])
    const importing = without.faults.filter((fault) => /\/au-\w+\/fy27\.yaml:\d+.* AU/.test(fault))
    expect(new Set(importing.map((fault) => /au-\w+/.exec(fault)?.[0])).size).toBe(8)
  } finally {
    writeFileSync(federal, text)
  }
  expect(one.read()).toMatchObject({ release, outdated: false, faults: [] })
})

test('a file that cannot be shown at all is checked first, so that its faults have a line', () => {
  write(before.replace('\nspec:\n', '\nspec:\n  pricingCode: AU_VIC\n'))
  expect(() => createFolder(folder, parsedFiles(cache)).read()).toThrow(/fy27\.yaml:\d+.*repeated/)
  write(before)
})

test('what was parsed is kept for the next start, which finds the same faults at the same lines', async () => {
  write(before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
  const first = createFolder(folder, parsedFiles(cache))
  const { release } = first.read()
  const { faults } = await checkedOf(first)
  const again = createFolder(folder, parsedFiles(cache))
  expect(again.read().release).toBe(release)
  expect((await checkedOf(again)).faults).toEqual(faults)
  expect(faults.length).toBeGreaterThan(0)
  write(before)
})

test.each([
  ['removed', () => rmSync(folder, { recursive: true }), () => cpSync('rates/sets', folder, { recursive: true })],
  ['renamed', () => renameSync(folder, `${folder}-away`), () => renameSync(`${folder}-away`, folder)],
  ['emptied', () => emptied(), () => cpSync('rates/sets', folder, { recursive: true })],
])(
  'a folder that is %s is a fault beside the rates of before, until it is back; edits are followed then',
  async (how, go, comeBack) => {
    const one = createFolder(folder, parsedFiles(cache))
    const { release } = one.read()
    let served: ExplorerRates | undefined
    const following = one.follow((now) => void (served = now))
    try {
      go()
      const fault =
        how === 'emptied' ? `${folder} has no rate set: no YAML file is in it.` : `${folder} is not there any more.`
      await waitFor('the fault', () => served?.faults.includes(fault))
      expect(served).toMatchObject({ release, outdated: true })
      comeBack()
      await waitFor('the rates', () => served?.outdated === false && served.faults.length === 0)
      expect(served?.release).toBe(release)
      write(before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
      await waitFor('the edit', () => served !== undefined && served.release !== release)
    } finally {
      following.close()
      write(before)
    }
  },
)

function emptied(): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
}

const TODAY = '2026-11-27'
const lookAt = async (label: string, cache: string, against?: string) => {
  const [side, old] = await Promise.all([sideFiles(label), against === undefined ? undefined : sideFiles(against)])
  return side && firstLook(side, TODAY, { against: old, kept: keptBelow(cache) })
}

test('a first look has the same rates before and after files are parsed, none of a set that is there twice, and goes back to none that are new', async () => {
  const cache = join(place.path, 'first-look')
  const read = createFolder(folder, parsedFiles(join(place.path, 'another'))).read()
  expect(await lookAt(folder, cache)).toEqual({ snapshot: undefined, rates: read })
  createFolder(folder, parsedFiles(cache)).read()
  const look = await lookAt(folder, cache)
  expect([look?.snapshot?.release, look?.rates]).toEqual([read.release, read])
  write(before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
  const edited = await lookAt(folder, cache)
  expect(edited).toEqual({ snapshot: undefined, rates: createFolder(folder, parsedFiles()).read() })
  write(before)
  const copy = join(folder, 'au-vic/fy27-copy.yaml')
  writeFileSync(copy, before)
  expect(await lookAt(folder, cache)).toBeUndefined()
  rmSync(copy)
})

test.each([
  ['a key twice', '\nspec:\n', '\nspec:\n  pricingCode: AU_VIC\n'],
  ['an alias', 'rate: "10.40"', 'rate: &a "10.40"\n            note: *a'],
  ['no set', '', '[]\n---\n'],
])('a file with %s is left to the parser, which says where', async (_, what, other) => {
  write(before.replace(what, other))
  expect(await lookAt(folder, join(place.path, 'left'))).toBeUndefined()
  write(before)
})

test('a first look at a folder without its federal set, and at none, leaves it to the checks to say what is wrong', async () => {
  const cache = join(place.path, 'no-federal')
  createFolder(folder, parsedFiles(cache)).read()
  const federal = join(folder, 'au/fy27.yaml')
  renameSync(federal, `${federal}.away`)
  expect(await lookAt(folder, cache)).toBeUndefined()
  renameSync(`${federal}.away`, federal)
  expect(await lookAt(join(folder, 'none'), cache)).toBeUndefined()
})

test('a first look compares with other files, and goes back to none while one of these is new', async () => {
  const cache = join(place.path, 'compared')
  const edited = join(place.path, 'edited')
  cpSync(folder, edited, { recursive: true })
  writeFileSync(join(edited, 'au-vic/fy27.yaml'), before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
  createFolder(folder, parsedFiles(cache)).read()
  const early = await lookAt(folder, cache, edited)
  const { release } = createFolder(edited, parsedFiles(cache)).read()
  const { snapshot, rates } = (await lookAt(folder, cache, edited))!
  expect([early?.snapshot, early?.rates, snapshot === undefined]).toEqual([undefined, rates, false])
  const { old } = rates
  expect([old?.label, old?.release]).toEqual([edited, release])
  expect(old?.differences.map(({ pricingCode, was, is }) => [pricingCode, was, is])).toContainEqual([
    ...['AU_VIC', '$10.60 for each $200 or part', '$10.40 for each $200 or part'],
  ])
  rmSync(edited, { recursive: true })
})

test('a first look at a revision is the last word once its files are parsed, and at one that Git does not know there is none', async () => {
  const cache = join(place.path, 'revision')
  const early = (await lookAt('git:HEAD', cache))!.rates
  for (const text of (await sideFiles('git:HEAD'))!.files) parsedFiles(cache).parse(text as string, 'file')
  const rates = (await lookAt('git:HEAD', cache))!.rates
  expect([rates.label, rates.unchecked, rates.sets.length > 20]).toEqual(['git:HEAD', undefined, true])
  expect(early).toEqual({ ...rates, unchecked: true })
  expect(await lookAt('git:nowhere', cache)).toBeUndefined()
})

test('a folder that goes or breaks right after the first look keeps the rates of that look, with its fault, and is followed', async () => {
  const cache = join(place.path, 'right-after')
  const { release } = createFolder(folder, parsedFiles(cache)).read()
  const { snapshot } = (await lookAt(folder, cache))!
  const again = () => createFolder(folder, parsedFiles(cache), undefined, snapshot)
  write(before.replace('\nspec:\n', '\nspec:\n  pricingCode: AU_VIC\n'))
  const broken = again().read()
  expect([broken.release, broken.outdated]).toEqual([release, true])
  expect(broken.faults.join('\n')).toMatch(/fy27\.yaml:\d+.*repeated/)
  write(before)
  renameSync(folder, `${folder}.away`)
  const one = again()
  const away = one.read()
  expect([away.release, away.outdated, away.faults.length]).toEqual([release, true, 1])
  const shown: ExplorerRates[] = []
  const following = one.follow((rates) => void shown.push(rates))
  renameSync(`${folder}.away`, folder)
  await waitFor('the folder', () => shown.at(-1)?.faults.length === 0)
  following.close()
})

test('a folder that is away while its files are to be checked is checked when it is back', async () => {
  const cache = join(place.path, 'away-while-checked')
  createFolder(folder, parsedFiles(cache)).read()
  const { snapshot } = (await lookAt(folder, cache))!
  const one = createFolder(folder, parsedFiles(cache), undefined, snapshot)
  renameSync(folder, `${folder}.away`)
  one.read()
  await checkedOf(one)
  writeFileSync(join(`${folder}.away`, 'au-vic/fy27.yaml'), before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
  renameSync(`${folder}.away`, folder)
  const back = one.read()
  write(before)
  expect([back.outdated, back.unchecked, back.faults.join('\n')]).toEqual([
    ...[false, undefined],
    expect.stringMatching(/fy27\.yaml:\d+.*STAMP_DUTY/),
  ])
})

test('an edit after the files are read, and before they are watched, is shown', async () => {
  const one = createFolder(folder, parsedFiles(join(place.path, 'before-watched')))
  const { release } = one.read()
  write(before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
  const shown: ExplorerRates[] = []
  const following = one.follow((rates) => void shown.push(rates))
  await waitFor('the edit', () => shown.length > 0)
  following.close()
  write(before)
  expect(shown.at(-1)!.release).not.toBe(release)
})

test('what can be compiled and not be shown is a fault with file and line', async () => {
  write(before.replace('  pricingCode: AU_VIC', '  pricingCode: [null]'))
  expect(await lookAt(folder, join(place.path, 'not-shown'))).toBeUndefined()
  expect(() => createFolder(folder, parsedFiles(join(place.path, 'not-shown'))).read()).toThrow(
    /fy27\.yaml:\d+:\d+: spec\.pricingCode/,
  )
  write(before)
})

test('a file that is not YAML is a bundle, whatever it holds', async () => {
  const bundle = join(place.path, 'rates.bundle')
  writeFileSync(bundle, before)
  expect(await sideFiles(bundle)).toBeUndefined()
})
