import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import {
  openBundle,
  RequestRefused,
  type Evaluator,
  type QuoteRequest,
  type ReleaseKey,
} from '../../evaluator/index.ts'
import { bundleOf, newReleaseKey, SIGNED_AT } from '../rates/release/signed-bundle.ts'

// A bundle is one release, and has no key that signs: what the API does with others is refused, and never priced otherwise.
const request = JSON.parse(readFileSync('docs/examples/quote.json', 'utf8')) as QuoteRequest
const asked = (options: QuoteRequest['options']): QuoteRequest => ({
  ...request,
  options: { ...request.options, ...options },
})
let bundle: Uint8Array<ArrayBuffer>
let published: ReleaseKey
let evaluator: Evaluator
beforeAll(async () => {
  const { signs, published: key } = await newReleaseKey()
  published = key
  bundle = await bundleOf(signs, { inForce: [{ since: '2026-07-01T00:00:00.000Z' }] })
  evaluator = await openBundle(bundle, [published])
}, 240_000)

test('the release itself, and a time at which it was in force, are priced', () => {
  for (const asKnownAt of [evaluator.release, '2026-07-01T10:00:00+10:00', '2026-09-01T11:59:59Z'])
    expect(evaluator.quote(asked({ asKnownAt })), asKnownAt).toEqual(evaluator.quote(request))
})

test.each(['2026-06-30T23:59:59Z', '2026-09-01T12:00:01Z', `sha256:${'0'.repeat(64)}`, 'yesterday'])(
  'what was known at %s is not known from the bundle, and is refused',
  async (asKnownAt) => {
    const refusal = expect.objectContaining({
      code: 'UNKNOWN_RELEASE',
      errors: [expect.objectContaining({ path: '/body/options/asKnownAt' })],
    }) as unknown
    expect(() => evaluator.quote(asked({ asKnownAt }))).toThrow(expect.objectContaining({ refusal }))
    const target = { ...asked({ asKnownAt }), target: { driveAway: 9_858_590 } }
    await expect(evaluator.target(target as never)).rejects.toEqual(expect.objectContaining({ refusal }))
  },
)

test('a bundle without times in force prices by the name of its release only', async () => {
  const { signs, published: key } = await newReleaseKey('r2')
  const plain = await openBundle(await bundleOf(signs), [key])
  expect(() => plain.quote(asked({ asKnownAt: '2026-09-01T00:00:00Z' }))).toThrow(RequestRefused)
  expect(plain.quote(asked({ asKnownAt: plain.release })).totals).toEqual(evaluator.quote(request).totals)
})

test('a receipt is refused: a bundle has no key that signs', () => {
  expect(() => evaluator.quote(asked({ receipt: true }))).toThrow(
    expect.objectContaining({ refusal: expect.objectContaining({ code: 'RECEIPT_NOT_AVAILABLE' }) }),
  )
})

const changed = (change: object) => [{ ...published, ...change }]
test.each<[string, () => unknown]>([
  ['nothing', () => undefined],
  ['a text', () => 'keys'],
  ['a list without keys', () => [1, null]],
  ['a last day that is no day', () => changed({ signsUntil: '30.06.2026' })],
  ['a private key', () => changed({ d: 'private' })],
  ['a key that is none of Ed25519', () => changed({ x: 'short' })],
])('keys: %s opens nothing', async (_, keys) => {
  await expect(openBundle(bundle, keys() as never)).rejects.toMatchObject({
    name: 'ReleaseFault',
    because: 'unknown_key',
  })
})

test('a key whose last day was before the bundle opens nothing', async () => {
  const [day] = new Date((SIGNED_AT - 86_400) * 1000).toISOString().split('T')
  await expect(openBundle(bundle, changed({ signsUntil: day }))).rejects.toMatchObject({ because: 'key_out_of_date' })
})
