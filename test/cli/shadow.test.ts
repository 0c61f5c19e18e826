import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Shadow } from '#rates/shadow/shadow.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { driveaway } from './driveaway.ts'

// Two folders of rates that differ as a change would make them differ, and requests as a decision log has them.
// The portfolio of diff takes its time on a busy machine.
vi.setConfig({ testTimeout: 240_000 })
const folder = temporaryDirectory('shadow')
afterAll(() => folder.remove())
const inside = (name: string) => join(folder.path, name)
const SETS = ['au/fy27.yaml', 'au-vic/fy27.yaml', 'au-tas/fy27.yaml']
for (const side of ['old', 'new']) for (const set of SETS) cpSync(join('rates/sets', set), inside(`${side}/${set}`))
const original = readFileSync('rates/sets/au-vic/fy27.yaml', 'utf8')
beforeEach(() => writeFileSync(inside('new/au-vic/fy27.yaml'), original))

function change(...replacements: [from: string, to: string][]): void {
  const text = replacements.reduce((all, [from, to]) => {
    expect(all).toContain(from)
    return all.replaceAll(from, to)
  }, original)
  writeFileSync(inside('new/au-vic/fy27.yaml'), text)
}

const PLATES = ['44.20', '45.20'] as [string, string]
/** Duty without factory options: the portfolio of diff has none, and no statement of the duty changes. */
const BASIS = [
  'minus: ["kind:disability_modification"]',
  'minus: ["kind:disability_modification", "kind:factory_option"]',
] as [string, string]

const suv = JSON.parse(readFileSync('docs/examples/quote.json', 'utf8')) as QuoteRequest
const priced = (...lines: QuoteRequest['pricingInputs']['dutiable']): QuoteRequest => ({
  ...suv,
  pricingInputs: { dutiable: lines },
})
const plain = priced({ description: 'Vehicle', value: 5_000_000 })
const optioned = priced(
  { description: 'Vehicle', value: 5_000_000 },
  { description: 'Paint', kind: 'factory_option', value: 200_000 },
)

function log(...entries: (object | string)[]): string {
  const file = inside('requests.jsonl')
  writeFileSync(file, entries.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join(''))
  return file
}

const shadow = (requests: string, ...args: string[]) =>
  driveaway(['shadow', '--requests', requests, '--current', inside('old'), '--candidate', inside('new'), ...args])
const found = async (requests: string) => JSON.parse((await shadow(requests, '--format', 'json')).stdout) as Shadow

test('what diff says moves by component, with the sum and the request that moves most, and the exit code is 0', async () => {
  change(PLATES)
  const requests = log({ request: plain }, { request: optioned }, { request: { ...plain, pricingCode: 'AU_TAS' } })
  const { status, stdout } = await shadow(requests)
  expect(stdout).toContain('3 requests, 2 of which move\ndiff explains everything that moves.\n')
  expect(stdout).toContain(
    '  AU_VIC PLATES: 2 of 2 requests, +1.00, +2.00 in all\n    line 1, new suv ICE of 50,000.00 from 2026-11-01',
  )
  expect(status).toBe(0)
  expect((await shadow(requests, '--exit-code')).status).toBe(1)
})

test('what diff does not explain comes first, and the exit code is 1', async () => {
  change(PLATES, BASIS)
  const { status, stdout } = await shadow(log({ request: plain }, { request: optioned }))
  const [unexplained, all] = [stdout.indexOf('What diff does not explain'), stdout.indexOf('What moves, by component')]
  expect([unexplained > 0, unexplained < all]).toEqual([true, true])
  // $84 of duty on $2,000 of options, 8.4 % above the threshold of passenger cars.
  expect(stdout.slice(unexplained, all)).toMatch(
    / {2}AU_VIC STAMP_DUTY: 1 of 2 requests, -84\.00, .*\n {4}line 2, new suv/,
  )
  expect(stdout.slice(unexplained, all)).not.toContain('PLATES')
  expect(status).toBe(1)
})

test('nothing moves where the rates are the same, whatever release a request names', async () => {
  const requests = log({ ...plain, options: { asKnownAt: '2020-01-01T00:00:00Z', receipt: true } })
  const { status, stdout } = await shadow(requests, '--exit-code')
  expect([status, stdout.split('\n')[2]]).toEqual([0, '1 request, none of which moves'])
})

test('a request that the candidate refuses is another answer, which no figure explains', async () => {
  change(['terms: [3, 6, 12]', 'terms: [6, 12]'])
  const quarterly = { ...plain, registration: { ...plain.registration, termMonths: 3 } }
  const { unexplained, moved } = await found(log(plain, quarterly))
  expect(unexplained).toMatchObject([
    {
      component: 'answer',
      requests: 1,
      of: 2,
      largest: { line: 2, before: 'quoted', after: 'UNSUPPORTED_REGISTRATION_TERM' },
    },
  ])
  expect(moved).toHaveLength(1)
})

test('a set that is gone explains that its requests are refused', async () => {
  const requests = log({ ...plain, pricingCode: 'AU_TAS' })
  for (const set of SETS.slice(0, 2)) cpSync(join('rates/sets', set), inside(`mainland/${set}`))
  const { stdout, status } = await shadow(requests, '--candidate', inside('mainland'), '--format', 'json')
  expect((JSON.parse(stdout) as Shadow).moved).toMatchObject([{ component: 'answer', pricingCode: 'AU_TAS' }])
  expect(status).toBe(0)
})

test(
  'lines that are no request are named, a list and bodies without a log are read, and a file without any request is a wrong call',
  { timeout: 240_000 },
  async () => {
    change(PLATES)
    const broken = { ...plain, pricingInputs: { dutiable: [null] } }
    const { requests, notPriced } = await found(log(JSON.stringify([plain, plain]), plain, broken, '{"request":'))
    expect([requests, notPriced.map(({ line }) => line)]).toEqual([3, [4, 3]])
    const list = inside('list.json')
    writeFileSync(list, JSON.stringify([plain, optioned], null, 2))
    expect((await found(list)).requests).toBe(2)
    const none = await shadow(log('{}'))
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('has no request that can be priced')])
  },
)

test('the release in force may be a bundle, if one of the trusted keys signed it', async () => {
  change(PLATES)
  const [key, keys, bundle] = [inside('r1.json'), inside('keys.json'), inside('current.bundle')]
  const { stdout } = await driveaway(['release-key', '--environment', 'staging', '--kid', 'r1', '--out', key])
  writeFileSync(keys, `[${stdout}]`)
  await driveaway(['bundle', inside('old'), '--key', key, '-o', bundle])
  const against = (...args: string[]) => shadow(log(plain), '--current', bundle, '--format', 'json', ...args)
  const moved = (JSON.parse((await against('--keys', keys)).stdout) as Shadow).moved
  expect(moved).toMatchObject([{ component: 'PLATES', least: 100, most: 100, sum: 100 }])
  expect(await against()).toMatchObject({ status: 2, stderr: expect.stringContaining('--keys FILE') })
})

test('a candidate with a fault is not priced', async () => {
  writeFileSync(inside('new/au-vic/fy27.yaml'), original.replace('flat: "44.20"', 'flat: "99.20"'))
  const { status, stderr } = await shadow(log(plain))
  expect([status, stderr]).toEqual([1, expect.stringContaining('examples-pass')])
})
