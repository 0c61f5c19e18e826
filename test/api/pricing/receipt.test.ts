import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { committedRates } from '../contract/committed-rates.ts'
import { bearer, newReleaseKeys, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'

let server: PricingServer
let headers: Record<string, string>
const { publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
beforeAll(async () => {
  server = await startPricingServer(committedRates())
  headers = bearer(await server.token())
}, 120_000)
afterAll(() => server?.close())

test('without a key, or after its last day, a receipt is refused with the path of the option, and all else is answered', async () => {
  const ring = await newReleaseKeys()
  for (const without of [undefined, { ...ring, signing: () => undefined }]) {
    server.swapReleaseKeys(without)
    const asking = suv({ options: { receipt: true } })
    const refused = await server.post('/v1/quote', asking, headers)
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        code: 'RECEIPT_NOT_AVAILABLE',
        message: 'This environment signs no receipts; send the request without options.receipt.',
        errors: [expect.objectContaining({ path: '/body/options/receipt' })],
      },
    ])
    const batch = await server.post('/v1/quote/batch', [suv(), asking], headers)
    expect(((await batch.json()) as { errors: { path: string }[] }).errors[0]?.path).toBe('/body/1/options/receipt')
    expect((await server.post('/v1/quote', suv({ options: { receipt: false } }), headers)).status).toBe(200)
  }
  server.swapReleaseKeys(ring)
})

test('what cannot be signed is refused, not failed: a text that is no Unicode, a number beyond a double', async () => {
  const text = JSON.stringify(suv({ options: { receipt: true } }))
  for (const field of ['"note":"\\ud800"', '"note":1e999']) {
    const answer = await server.post('/v1/quote', text.replace('{', `{${field},`), headers)
    expect([field, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      field,
      400,
      'bad_request',
    ])
  }
})

test('a key that cannot sign is a fault of this environment, not of the request: the quote alone is answered', async () => {
  const ring = await newReleaseKeys()
  server.swapReleaseKeys({ ...ring, signing: (at) => ({ ...ring.signing(at)!, key: publicKey }) })
  const answer = await server.post('/v1/quote', suv({ options: { receipt: true } }), headers)
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
    503,
    '30',
    {
      code: 'RECEIPT_NOT_SIGNED',
      message: 'The receipt cannot be signed at the moment. Try again, or send the request without options.receipt.',
    },
  ])
  expect((await server.post('/v1/quote', suv(), headers)).status).toBe(200)
  server.swapReleaseKeys(ring)
})
