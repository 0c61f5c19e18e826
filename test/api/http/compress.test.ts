import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { committedRates } from '../contract/committed-rates.ts'
import { bearer, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'
import { sendRaw } from './raw-request.ts'

let server: PricingServer
let token: string
beforeAll(async () => {
  server = await startPricingServer(committedRates())
  token = await server.token()
})
afterAll(() => server.close())

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync }

/** The answer to a request whose client says which codings it knows, decoded by ourselves: fetch would do it silently. */
async function ask(path: string, acceptEncoding: string | undefined, body?: unknown) {
  const headers = { ...bearer(token), 'content-type': 'application/json', connection: 'close' }
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({
    host: 'x',
    ...headers,
    ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
  })
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${text.length}`,
  ]
  const answer = await sendRaw(Number(new URL(server.url).port), `${head.join('\r\n')}\r\n\r\n${text}`)
  const coding = answer!.headers['content-encoding'] as keyof typeof DECODERS | undefined
  const decoded = coding === undefined ? answer!.body : DECODERS[coding](answer!.bytes).toString()
  return { ...answer!, coding, size: answer!.bytes.length, decoded }
}

const changes = '/v1/changes?from=2026-07-01&to=2026-07-31'

test('an answer of 1 KB and more is compressed for whoever asks for it, and is the same', async () => {
  for (const [path, body] of [[changes], ['/spec'], ['/docs/swagger-ui.css'], ['/v1/quote', suv()]] as const) {
    const plain = await ask(path, undefined, body)
    expect([path, plain.status, plain.coding]).toEqual([path, 200, undefined])
    for (const coding of ['br', 'gzip', 'deflate']) {
      const answer = await ask(path, coding, body)
      expect([path, answer.coding, answer.size < plain.size / 1.5]).toEqual([path, coding, true])
      expect(answer.decoded).toBe(plain.decoded)
      expect(answer.headers['vary']).toMatch(/accept-encoding/i)
    }
  }
})

test('weights are heeded, and whoever refuses compression has none', async () => {
  expect((await ask(changes, 'gzip;q=1, br;q=0.1')).coding).toBe('gzip')
  for (const refused of ['identity', 'gzip;q=0', 'rot13', 'identity;q=0, *;q=0', '', ';q=x']) {
    expect([refused, (await ask(changes, refused)).coding]).toEqual([refused, undefined])
  }
})

test('small answers are not compressed', async () => {
  for (const path of ['/oauth/jwks', '/nowhere', '/']) {
    expect([path, (await ask(path, 'gzip, br')).coding]).toEqual([path, undefined])
  }
})

test('a compressed answer has a weak tag, with which it is not sent again', async () => {
  const [plain, packed] = [await ask(changes, undefined), await ask(changes, 'gzip')]
  expect(packed.headers['etag']).toBe(`W/${plain.headers['etag']}`)
  const again = await fetch(`${server.url}${changes}`, {
    headers: { ...bearer(token), 'if-none-match': packed.headers['etag']! },
  })
  expect(again.status).toBe(304)
})
