import { createConnection } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Router } from '@koa/router'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../../api/http/app.ts'
import { formReader, jsonReader } from '../../../api/http/read-body.ts'
import { serve, type HttpServer } from '../../../api/http/serve.ts'
import { appServices } from '../app-services.ts'

let served: HttpServer
beforeAll(async () => {
  const router = new Router()
  const json = jsonReader(['application/json'], { limit: 1024, deadlineMs: 300 })
  const form = formReader({ limit: 1024, deadlineMs: 300 })
  router.post('/json', async (ctx) => void (ctx.body = { read: JSON.parse(String(await json(ctx))) as unknown }))
  router.post('/form', async (ctx) => void (ctx.body = { read: await form(ctx) }))
  served = await serve(createApp(router, appServices()), { host: '127.0.0.1', port: 0 })
})
afterAll(() => served.close())

/** Sends a head, then each piece after `everyMs` milliseconds; returns all that comes back till the server hangs up. */
function send(head: string[], pieces: string[] = [], everyMs = 0): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(served.port, '127.0.0.1')
    let received = ''
    socket.on('data', (data) => (received += String(data)))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const timer = setInterval(() => void (pieces.length > 0 && socket.write(pieces.shift()!)), everyMs)
    socket.on('close', () => clearInterval(timer))
  })
}
const drip = '{"a":1,"b":2,"c":3,"d":4,"e":5}'

test('a body that is sent a byte at a time is 408 at the deadline, and its connection is closed', async () => {
  for (const [path, type] of [
    ['/json', 'application/json'],
    ['/form', 'application/x-www-form-urlencoded'],
  ]) {
    const start = performance.now()
    const head = [`POST ${path} HTTP/1.1`, 'host: x', `content-type: ${type}`, `content-length: ${drip.length}`]
    const answer = await send(head, [...drip], 100)
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(answer).toContain('"code":"request_timeout"')
    expect(answer.toLowerCase()).toContain('connection: close')
    expect(performance.now() - start).toBeLessThan(2_500)
  }
})

test('a body that comes in pieces in time is read', async () => {
  const head = ['POST /json HTTP/1.1', 'host: x', 'connection: close', 'content-type: application/json']
  const answer = await send([...head, `content-length: ${drip.length}`], [drip.slice(0, 9), drip.slice(9)], 20)
  expect(answer).toContain('{"read":{"a":1')
})

test('a connection whose body was refused in the middle takes the next request', async () => {
  const chunk = `800\r\n${' '.repeat(2048)}\r\n`
  const head = ['POST /json HTTP/1.1', 'host: x', 'content-type: application/json', 'transfer-encoding: chunked']
  const next = 'POST /json HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n'
  const end = `0\r\n\r\n${next}content-length: 2\r\n\r\n{}`
  const answer = await send(head, [...Array.from({ length: 60 }, () => chunk), end], 1)
  expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
})

test('a charset other than UTF-8 is 415', async () => {
  for (const [charset, status] of [
    ['utf-16', 415],
    ['iso-8859-1', 415],
    ['nonsense', 415],
    ['UTF-8', 200],
    ['utf8', 200],
  ] as const) {
    const headers = { 'content-type': `application/json; charset=${charset}` }
    const response = await fetch(`${served.url}/json`, { method: 'POST', headers, body: '{}' })
    expect([charset, response.status]).toEqual([charset, status])
  }
})

const unreadable: [string, string[], number, string][] = [
  ['is not HTTP', ['HELLO'], 400, 'bad_request'],
  ['has a header without a name', ['GET /json HTTP/1.1', 'host: x', ': y'], 400, 'bad_request'],
  [
    'has two lengths',
    ['POST /json HTTP/1.1', 'host: x', 'content-length: 2', 'transfer-encoding: chunked'],
    400,
    'bad_request',
  ],
  ['has headers of 100 KB', ['GET /json HTTP/1.1', 'host: x', `x: ${'y'.repeat(100_000)}`], 431, 'headers_too_large'],
]
for (const [what, head, status, code] of unreadable) {
  test(`a request that ${what} is ${status} ${code} with the contract's body and a request id`, async () => {
    const answer = await send(head)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer.toLowerCase()).toMatch(/x-request-id: [0-9a-f-]{36}/)
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toEqual({ code, message: expect.any(String) })
  })
}

test('an idle connection is kept for longer than load balancers keep theirs', async () => {
  const socket = createConnection(served.port, '127.0.0.1')
  const head = ['POST /json HTTP/1.1', 'host: x', 'content-type: application/json', 'content-length: 2']
  const answer = await new Promise((resolve) => {
    socket.on('data', (data) => resolve(String(data)))
    socket.write(`${head.join('\r\n')}\r\n\r\n{}`)
  })
  socket.destroy()
  expect(answer).toMatch(/keep-alive: timeout=75/i)
})

test('a body is read or refused alike, plain and compressed', async () => {
  const plain = { 'content-type': 'application/json' }
  const coded = { ...plain, 'content-encoding': 'gzip' }
  for (const body of ['{"a":[1]}', '\ufeff{"a":1}', ' [1]', '', 'null', '"a"', '{"a":', '{"a":{"__proto__":1}}']) {
    const [one, other] = await Promise.all([
      fetch(`${served.url}/json`, { method: 'POST', headers: plain, body }),
      fetch(`${served.url}/json`, { method: 'POST', headers: coded, body: gzipSync(body) }),
    ])
    expect([body, one.status, await one.json()]).toEqual([body, other.status, await other.json()])
  }
})
