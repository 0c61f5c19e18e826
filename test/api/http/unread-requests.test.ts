import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../runtime/log.ts'
import { startPricingServer, type PricingServer } from '../pricing-server.ts'
import { connect, sendRaw } from './raw-request.ts'

// What Node answers, or cuts, before an application sees it.
const lines: Record<string, unknown>[] = []
let server: PricingServer
let port: number
beforeAll(async () => {
  const log = createLog(
    { name: 'test' },
    { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  )
  server = await startPricingServer(undefined, undefined, { log })
  port = Number(new URL(server.url).port)
})
afterAll(() => server.close())

type Refused = [string, string, number, string]
const refused: Refused[] = [
  ['has no Host', 'GET /spec HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  ['has two Hosts', 'GET /spec HTTP/1.1\r\nhost: x\r\nHost: y\r\nconnection: close\r\n\r\n', 400, 'bad_request'],
  ['names one Host twice', 'GET /spec HTTP/1.0\r\nhost: x\r\nhost: x\r\n\r\n', 400, 'bad_request'],
  ['has a Host that cannot be one', 'GET /spec HTTP/1.1\r\nhost: a b/c@\r\n\r\n', 400, 'bad_request'],
  ['has a Host with a user', 'GET /spec HTTP/1.1\r\nhost: me@x\r\n\r\n', 400, 'bad_request'],
  ['has a port that is no number', 'GET /spec HTTP/1.0\r\nhost: x:y\r\n\r\n', 400, 'bad_request'],
  ['has a fragment in its target', 'GET /spec#a HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'bad_request'],
  [
    'expects a banana',
    'POST /v1/quote HTTP/1.1\r\nhost: x\r\nexpect: banana\r\ncontent-length: 0\r\n\r\n',
    417,
    'expectation_failed',
  ],
  ['asks for a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n', 405, 'method_not_allowed'],
  ['has a method that HTTP does not know', 'BREW /v1/quote HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'bad_request'],
  ['is HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad_request'],
  ['is TLS', Buffer.from('16030100a5010000a1', 'hex').toString('latin1').repeat(20), 400, 'bad_request'],
  ['has a length that is none', 'POST /v1/quote HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n', 400, 'bad_request'],
  ['has a line end in a header', 'GET /spec HTTP/1.1\r\nhost: x\r\nx: a\rb\r\n\r\n', 400, 'bad_request'],
  [
    'has a broken chunk',
    'POST /v1/quote HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    400,
    'bad_request',
  ],
  ...['gzip, chunked', 'identity, chunked', 'gzip\r\ntransfer-encoding: chunked'].map((coding): Refused => [
    `has the transfer coding ${JSON.stringify(coding)}`,
    `POST /v1/quote HTTP/1.1\r\nhost: x\r\ntransfer-encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    501,
    'not_implemented',
  ]),
  ['has too many headers', `GET /spec HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(9000)}\r\n`, 431, 'headers_too_large'],
]
for (const [what, bytes, status, code] of refused) {
  test(`a request that ${what} is ${status} ${code}, with the contract's body and a line in the log`, async () => {
    const answer = await sendRaw(port, bytes)
    expect([answer?.status, answer?.headers['content-type']]).toEqual([status, 'application/json; charset=utf-8'])
    expect(JSON.parse(answer!.body)).toEqual({ code, message: expect.stringMatching(/\w{3}/) })
    const requestId = answer!.headers['x-request-id']
    expect(lines).toContainEqual(expect.objectContaining({ requestId, status, code }))
  })
}

test('a body in chunks is read, however the coding is written', async () => {
  const head = 'POST /v1/quote HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: Chunked\r\n\r\n'
  expect((await sendRaw(port, `${head}2\r\n{}\r\n0\r\n\r\n`))?.status).toBe(401)
})

test('a request of HTTP/1.0 needs no Host', async () => {
  expect((await sendRaw(port, 'GET /spec HTTP/1.0\r\n\r\n'))?.status).toBe(200)
})

test('every form of a Host that RFC 3986 knows is taken', async () => {
  for (const host of [
    '',
    'x:',
    'x:8080',
    '127.0.0.1',
    '[::1]:8080',
    'a_b.example.com',
    'xn--bcher-kva.example',
    'a%20b',
  ]) {
    const answer = await sendRaw(port, `GET /spec HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    expect([host, answer?.status]).toEqual([host, 200])
  }
})

test('OPTIONS * lists the methods of the server', async () => {
  const answer = await sendRaw(port, 'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect([answer?.status, answer?.headers.allow, answer?.body]).toEqual([200, 'GET, HEAD, OPTIONS, POST', ''])
})

test('Expect: 100-continue is answered with it', async () => {
  const head =
    'POST /v1/quote HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-length: 0\r\n\r\n'
  expect((await sendRaw(port, head))?.status).toBe(100)
})

const path = [
  '/V1/QUOTE',
  '/v1/quote/',
  '/v1/Quote',
  '//v1/quote',
  '/v1//quote',
  '/v1/%71uote',
  '/v1/quote;x=1',
  '/SPEC',
  '/spec/',
  '/docs/',
]
test('paths are exact: no other case, no slash behind, no other spelling', async () => {
  for (const each of path) {
    const method = /quote/i.test(each) ? 'POST' : 'GET'
    const answer = await sendRaw(
      port,
      `${method} ${each} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    )
    expect([each, answer?.status, (JSON.parse(answer!.body) as { code: string }).code]).toEqual([
      each,
      404,
      'not_found',
    ])
  }
})

test(
  'a body that was refused and keeps coming holds its connection for seconds, not for a minute and a half',
  { timeout: 20_000 },
  async () => {
    for (const [what, head] of [
      ['without a token', 'content-type: application/json'],
      ['too large', `authorization: Bearer ${await server.token()}\r\ncontent-type: application/json`],
    ]) {
      const socket = await connect(port)
      const start = performance.now()
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(`POST /v1/quote HTTP/1.1\r\nhost: x\r\n${head}\r\ncontent-length: 900000\r\n\r\n`)
      const drip = setInterval(() => socket.write(' '), 200)
      socket.resume()
      await closed
      clearInterval(drip)
      expect([what, performance.now() - start < 9_000]).toEqual([what, true])
    }
  },
)

test('a caller that was refused and does not hang up is cut', async () => {
  const socket = await connect(port)
  const start = performance.now()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.resume().write('no HTTP\r\n\r\n')
  await closed
  expect(performance.now() - start).toBeLessThan(4_000)
})

test.each([
  ['bytes that are no request', 'no request\r\n\r\n', 400],
  ['a broken chunk', 'POST /v1/quote HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 401],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n', 405],
])('%s behind whole requests take no answer from them', async (_, bytes, status) => {
  const head = `host: x\r\nauthorization: Bearer ${await server.token()}\r\ncontent-type: application/json\r\ncontent-length: 2`
  const quote = `POST /v1/quote HTTP/1.1\r\n${head}\r\n\r\n{}`
  const socket = await connect(port)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(`GET /spec HTTP/1.1\r\nhost: x\r\n\r\n${quote}${bytes}${bytes}`)
  await once(socket, 'close')
  const statuses = Buffer.concat(chunks)
    .toString('latin1')
    .matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)
  expect([...statuses].map(([, each]) => Number(each))).toEqual([200, 400, status])
})

test('a caller that closes its side when it has sent its requests gets every answer', async () => {
  const head = `host: x\r\nauthorization: Bearer ${await server.token()}\r\ncontent-type: application/json\r\ncontent-length: 2`
  const quote = `POST /v1/quote HTTP/1.1\r\n${head}\r\n\r\n{}`
  const socket = await connect(port)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.end(
    `${quote}${quote}GET /v1/jurisdictions HTTP/1.1\r\n${head.replace('length: 2', 'length: 0')}\r\naccept-encoding: gzip\r\n\r\n`,
  )
  await once(socket, 'close')
  const statuses = Buffer.concat(chunks)
    .toString('latin1')
    .matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)
  expect([...statuses].map(([, each]) => Number(each))).toEqual([400, 400, 200])
})

test('a caller that asks for a tunnel behind a slow request and resets the connection ends nothing but its connection', async () => {
  const head = `host: x\r\nauthorization: Bearer ${await server.token()}`
  for (let time = 0; time < 20; time += 1) {
    const socket = await connect(port)
    socket.write(`GET /v1/changes HTTP/1.1\r\n${head}\r\n\r\nCONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n`)
    await sleep(1)
    socket.resetAndDestroy()
  }
  expect((await sendRaw(port, 'GET /spec HTTP/1.0\r\n\r\n'))?.status).toBe(200)
})
