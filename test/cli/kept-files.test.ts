import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keptBelow } from '#rates/files/kept.ts'
import { parse } from '#rates/files/rate-set-file.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { driveaway, driveawayProcess } from './driveaway.ts'

// What the commands keep of parsed files from one start to the next: every start is a process of its own.
const place = temporaryDirectory('kept-files')
const at = (...names: string[]) => join(place.path, ...names)
const territory = (folder: string) => at(folder, 'au-nt/fy27.yaml')
afterAll(() => place.remove())

beforeAll(async () => {
  for (const folder of ['sets', 'faulty']) {
    for (const set of ['au/fy27.yaml', 'au-nt/fy27.yaml']) {
      mkdirSync(dirname(at(folder, set)), { recursive: true })
      cpSync(join('rates/sets', set), at(folder, set))
    }
  }
  cpSync('rates/cases/au-nt/persons.yaml', at('cases/persons.yaml'))
  const text = readFileSync(territory('sets'), 'utf8')
  writeFileSync(territory('faulty'), `${text.replace('  financialYear: "2026-2027"', '$&\n  colour: red')}`)
  writeFileSync(at('request.json'), JSON.stringify(request))
  await driveaway(['release-key', '--environment', 'staging', '--kid', 'r1', '--out', at('key.json')])
})

const request = {
  pricingCode: 'AU_NT',
  showroomCode: 'DRW01',
  purchaseDate: '2026-09-01',
  vehicleGeneric: { bodyType: 'sedan', fuelType: 'ICE', condition: 'new', cylinders: 4, co2GPerKm: 150 },
  pricingInputs: { dutiable: [{ description: 'Vehicle', value: 80_567_00 }] },
  registration: { startDate: '2026-09-01', postcode: '0800' },
}

const commands: [string, string[]][] = [
  ['lint', ['lint', at('sets'), at('cases'), '--rates', at('sets')]],
  ['lint of a fault', ['lint', at('faulty'), at('cases'), '--rates', at('faulty')]],
  ['test', ['test', at('sets'), at('cases'), '--rates', at('sets')]],
  ['quote', ['quote', '-f', at('request.json'), '--rates', at('sets')]],
  ['diff', ['diff', at('faulty'), at('sets')]],
]

test.each(commands)('%s says the same without kept files, at its first start and at the next', (name, args) => {
  const start = (cache: string) => driveawayProcess(args, { env: { XDG_CACHE_HOME: cache } })
  const without = start('/dev/null')
  const cache = at(`cache of ${name}`)
  expect(start(cache)).toEqual(without)
  expect(readdirSync(join(cache, 'driveaway')).length).toBeGreaterThan(0)
  expect(start(cache)).toEqual(without)
  expect(without.stdout.length + without.stderr.length).toBeGreaterThan(0)
})

/** A cache in which the Territory has another fee than in its file. */
function forgedCache(): string {
  const cache = at('forged')
  const text = readFileSync(territory('sets'), 'utf8')
  const { name, spec } = parse(text, 'fy27.yaml')
  const forged = JSON.stringify(spec).replace('607.25', '707.25')
  keptBelow(join(cache, 'driveaway')).keep('rate set', text, { name, spec: JSON.parse(forged) as unknown })
  return cache
}

test('the commands read kept files in place of the text; what is signed is parsed anew', () => {
  const env = { XDG_CACHE_HOME: forgedCache() }
  const starts = (args: string[]) => driveawayProcess(args, { env }).status
  const outcomes = commands.filter(([name]) => !/fault|diff/.test(name)).map(([, args]) => starts(args))
  expect(outcomes).toEqual([1, 1, 1])
  expect(starts(['bundle', at('sets'), '--key', at('key.json'), '-o', at('rates.bundle')])).toBe(0)
})

test('a user without a home, and a cache with a relative name, are no fault and leave no file', () => {
  const [, args] = commands[3]!
  const expected = driveawayProcess(args, { env: { XDG_CACHE_HOME: '/dev/null' } })
  expect(expected).toMatchObject({ status: 0, stderr: '' })
  for (const env of [{ XDG_CACHE_HOME: '', HOME: '' }, { XDG_CACHE_HOME: 'kept-here' }])
    expect(driveawayProcess(args, { env })).toEqual(expected)
  // The command of the checkout is a file of that name.
  expect(readdirSync('.').filter((name) => ['kept-here', 'driveaway'].includes(name))).toEqual(['driveaway'])
  expect(statSync('driveaway').isFile()).toBe(true)
})
