import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thisEngine } from '#rates/release/engine-digest.ts'
import { signReceipt, withReceipt, type Exchange, type Receipted } from '#rates/release/receipt.ts'
import type { Quote } from '../../rates/engine/answer.ts'
import { committedRates } from '../api/contract/committed-rates.ts'
import { bearer, newReleaseKeys, startPricingServer, suv, type PricingServer } from '../api/pricing-server.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { bundleOf, committedContent } from '../rates/release/signed-bundle.ts'
import { driveaway } from './driveaway.ts'

const folder = temporaryDirectory('verify')
const at = (name: string) => join(folder.path, name)
const ring = await newReleaseKeys('r1', 'production')
const { signing, published } = ring
const own = signing(0)!
let server: PricingServer
let token: string

const put = (name: string, content: unknown) => writeFileSync(at(name), JSON.stringify(content))
const verify = (file: string, ...more: string[]) => driveaway(['verify', at(file), '--keys', at('keys.json'), ...more])

async function asked(path: string, request: unknown): Promise<unknown> {
  return (await server.post(path, request, bearer(token))).json()
}

const withReceiptAsked = (change: Record<string, unknown> = {}) => suv({ options: { receipt: true }, ...change })

beforeAll(async () => {
  server = await startPricingServer(committedRates())
  server.swapReleaseKeys(ring)
  token = await server.token()
  // Without a token: whoever verifies has none.
  put('keys.json', await (await server.get('/.well-known/release-keys')).json())
  writeFileSync(at('rates.bundle'), await bundleOf(own, { environment: 'production' }))
  const request = withReceiptAsked()
  put('quote.json', { request, answer: await asked('/v1/quote', request) })
}, 240_000)
afterAll(async () => {
  await server?.close()
  folder.remove()
})

/** The quote of the API, changed. */
async function altered(change: (quote: Quote, request: Record<string, unknown>) => void): Promise<Exchange> {
  const request = withReceiptAsked()
  const answer = (await asked('/v1/quote', request)) as Quote
  change(answer, request)
  return { request, answer }
}

test('a name that stands twice in an object is refused: another reader may take the first one', async () => {
  const request = withReceiptAsked()
  const text = JSON.stringify({ request, answer: await asked('/v1/quote', request) })
  writeFileSync(at('twice.json'), text.replace('"driveAway":', '"driveAway":1,"driveAway":'))
  const { status, stdout, stderr } = await verify('twice.json')
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain('twice.json is not readable as JSON: an object has a name twice')
})

test.each([
  ['a text that is not Unicode', '"\\ud800"', '"\\ud800" is not Unicode'],
  ['a number beyond a double', '1e999', 'the number "driveAway" is too large'],
])('%s is refused by the name of its file: it was never signed', async (_, value, because) => {
  const request = withReceiptAsked()
  const text = JSON.stringify({ request, answer: await asked('/v1/quote', request) })
  writeFileSync(
    at('odd.json'),
    text.replace(/"driveAway":\d+/, () => `"driveAway":${value}`),
  )
  const { status, stdout, stderr } = await verify('odd.json')
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`odd.json is not readable as JSON: ${because}`)
})

test('a quote, each quote of a batch and a solved target hold, and are priced again to the cent', async () => {
  const one = await verify('quote.json', '--bundle', at('rates.bundle'))
  expect(one).toMatchObject({ status: 0, stderr: '' })
  expect(one.stdout).toContain('the receipt is valid, signed by r1 of production at ')
  expect(one.stdout).toContain(', which is this one')
  expect(one.stdout).toContain('priced again with the bundle: the same, to the cent')
  const requests = [withReceiptAsked(), suv(), withReceiptAsked({ showroomCode: 'SYD01' })]
  const answers = (await asked('/v1/quote/batch', requests)) as Quote[]
  expect(answers.map(({ metadata }) => 'receipt' in metadata)).toEqual([true, false, true])
  put('second.json', { request: requests[2], answer: answers[2] })
  expect(await verify('second.json', '--bundle', at('rates.bundle'))).toMatchObject({ status: 0, stderr: '' })
  put('aim.json', withReceiptAsked({ target: { driveAway: 5_000_000 } }))
  put('solved.json', await asked('/v1/quote/target-drive-away', withReceiptAsked({ target: { driveAway: 5_000_000 } })))
  const solved = await verify('solved.json', '--request', at('aim.json'), '--bundle', at('rates.bundle'))
  expect(solved).toMatchObject({ status: 0, stderr: '' })
})

test('a receipt changes nothing of the quote, and signs nothing that was not asked for', async () => {
  const { receipt, ...metadata } = ((await asked('/v1/quote', withReceiptAsked())) as { metadata: { receipt: string } })
    .metadata
  expect(receipt).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(metadata).toEqual(((await asked('/v1/quote', suv())) as Quote).metadata)
})

test.each<[string, (quote: Quote, request: Record<string, unknown>) => void, string]>([
  ['a figure', ({ totals }) => void (totals.driveAway -= 100), 'the answer is not the one'],
  ['the request', (_, request) => void (request.purchaseDate = '2026-08-04'), 'the request is not the one'],
  [
    'the receipt, which is gone',
    ({ metadata }) => void delete (metadata as { receipt?: string }).receipt,
    'has no receipt',
  ],
])('altered: %s', async (_, change, reason) => {
  put('altered.json', await altered(change))
  const { status, stdout, stderr } = await verify('altered.json')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain(reason)
})

test("another key is refused, and a key that signs another one's name", async () => {
  put('others.json', { keys: (await newReleaseKeys('r2', 'production')).published })
  const other = await driveaway(['verify', at('quote.json'), '--keys', at('others.json')])
  expect([other.status, other.stderr]).toEqual([
    1,
    expect.stringContaining('the receipt is signed by key r1, which is not trusted'),
  ])
  put('false.json', { keys: (await newReleaseKeys('r1', 'production')).published })
  const forged = await driveaway(['verify', at('quote.json'), '--keys', at('false.json')])
  expect([forged.status, forged.stderr]).toEqual([
    1,
    expect.stringContaining('the signature of the receipt is not one of key r1'),
  ])
})

test('another environment is refused: of the key, of the bundle, or of what is expected', async () => {
  put('staging.json', { keys: [{ ...published[0], environment: 'staging' }] })
  const { status, stderr } = await driveaway(['verify', at('quote.json'), '--keys', at('staging.json')])
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('of environment production, but key r1 speaks for staging only'),
  ])
  const expected = await verify('quote.json', '--environment', 'staging')
  expect([expected.status, expected.stderr]).toEqual([
    1,
    expect.stringContaining('of environment production, not of staging'),
  ])
  const staging = await newReleaseKeys('s1', 'staging')
  writeFileSync(at('staging.bundle'), await bundleOf(staging.signing(0)!))
  put('both.json', { keys: [...published, ...staging.published] })
  const bundle = await driveaway([
    'verify',
    at('quote.json'),
    '--keys',
    at('both.json'),
    '--bundle',
    at('staging.bundle'),
  ])
  expect([bundle.status, bundle.stderr]).toEqual([
    1,
    expect.stringContaining('of environment production, the bundle of staging'),
  ])
})

test('the bundle of another release is refused', async () => {
  const [first, ...rest] = committedContent().sets
  const { contentOf } = await import('#rates/release/bundle-content.ts')
  const { spec } = first!
  const sets = [
    { name: first!.entry.name, spec: { ...spec, timeZone: 'Australia/Perth' } },
    ...rest.map(({ entry, spec: other }) => ({ name: entry.name, spec: other })),
  ]
  writeFileSync(at('other.bundle'), await bundleOf(own, { environment: 'production' }, contentOf(sets)))
  const { status, stderr } = await verify('quote.json', '--bundle', at('other.bundle'))
  expect([status, stderr]).toEqual([1, expect.stringContaining('the quote is of release sha256:')])
})

/** A quote signed as an engine of another time would have; its figures are those of the API, changed. */
async function signedBefore(change: (quote: Quote) => void): Promise<Exchange> {
  const request = suv()
  const answer = (await asked('/v1/quote', request)) as Quote
  change(answer)
  const engine = { version: '0.0.1', digest: `sha256:${'0'.repeat(64)}` }
  const said = { environment: 'production', iat: 1_790_000_000, engine, release: answer.metadata.release }
  return { request, answer: withReceipt(answer as Receipted, await signReceipt({ request, answer }, said, own)) }
}

test('an engine that has changed since is said, and the receipt holds', async () => {
  put('before.json', await signedBefore(() => undefined))
  const { status, stdout, stderr } = await verify('before.json', '--bundle', at('rates.bundle'))
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`it has changed since: this one is ${thisEngine().version}`)
  expect(stdout).toContain('the same, to the cent')
})

test('a figure that comes out otherwise is named, though its signature holds', async () => {
  put('wrong.json', await signedBefore(({ totals }) => void (totals.driveAway += 1)))
  const { status, stderr } = await verify('wrong.json', '--bundle', at('rates.bundle'))
  expect(status).toBe(1)
  expect(stderr).toMatch(/^totals\.driveAway: \d+ cents in the quote, \d+ cents when priced again\n$/)
})

test('a retired key stays good for what it signed, and not for later', async () => {
  put('retired.json', { keys: [{ ...published[0], signsUntil: '2020-01-01' }] })
  const late = await driveaway(['verify', at('quote.json'), '--keys', at('retired.json')])
  expect([late.status, late.stderr]).toEqual([1, expect.stringContaining('key r1 signs until 2020-01-01 only')])
  put('retired.json', { keys: [{ ...published[0], signsUntil: '2999-12-31' }] })
  expect((await driveaway(['verify', at('quote.json'), '--keys', at('retired.json')])).status).toBe(0)
})

test('a wrong call says what is expected', async () => {
  expect((await driveaway(['verify', at('quote.json')])).stderr).toContain('expected one quote, and --keys')
  const { status, stderr } = await verify('keys.json')
  expect([status, stderr]).toEqual([2, expect.stringContaining('expected {"request": …, "answer": …}')])
})
