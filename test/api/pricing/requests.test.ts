import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../harness/wait-for.ts'
import { bearer, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'

let server: PricingServer
let auth: { authorization: string }
beforeAll(async () => {
  server = await startPricingServer()
  auth = bearer(await server.token())
})
afterAll(() => server.close())

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await server.post(path, body, { ...auth, ...headers })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

const schemaFaults: [string, unknown, string, string][] = [
  ['without purchaseDate', suv({ purchaseDate: undefined }), '/body/purchaseDate', 'required'],
  ['on a day that is not', suv({ purchaseDate: '2026-02-30' }), '/body/purchaseDate', 'format'],
  ['with a date and a time', suv({ purchaseDate: '2026-08-03T00:00:00Z' }), '/body/purchaseDate', 'format'],
  ['without a start date', suv({ registration: {} }), '/body/registration/startDate', 'required'],
  ['without lines', suv({ pricingInputs: { dutiable: [] } }), '/body/pricingInputs/dutiable', 'minItems'],
  [
    'with half a cent',
    suv({ pricingInputs: { dutiable: [{ description: 'Car', value: 0.5 }] } }),
    '/body/pricingInputs/dutiable/0/value',
    'type',
  ],
  [
    'with money as text',
    suv({ pricingInputs: { dutiable: [{ description: 'Car', value: '4500000' }] } }),
    '/body/pricingInputs/dutiable/0/value',
    'type',
  ],
  [
    'of more than a hundred million dollars',
    suv({ pricingInputs: { dutiable: [{ description: 'Car', value: 10_000_000_001 }] } }),
    '/body/pricingInputs/dutiable/0/value',
    'maximum',
  ],
  ['of an unknown body type', suv({ vehicleGeneric: { bodyType: 'boat' } }), '/body/vehicleGeneric/bodyType', 'enum'],
  [
    'with a postcode of three digits',
    suv({ registration: { startDate: '2026-08-10', postcode: '300' } }),
    '/body/registration/postcode',
    'pattern',
  ],
  ['of an unknown policy', suv({ taxDatePolicy: { outOfRange: 'guess' } }), '/body/taxDatePolicy/outOfRange', 'enum'],
  ['that is a list', [suv()], '/body', 'type'],
]
for (const [what, body, path, keyword] of schemaFaults) {
  test(`a quote ${what} is bad_request at ${path}`, async () => {
    const answer = await post('/v1/quote', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'bad_request', message: expect.stringContaining(path) })
    expect(answer.body.errors).toContainEqual({
      path,
      message: expect.any(String),
      errorCode: `${keyword}.openapi.validation`,
    })
  })
}

test('every fault of a body is named, not the first alone', async () => {
  const { body } = await post('/v1/quote', suv({ purchaseDate: 1, registration: {} }))
  expect((body.errors as { path: string }[]).map(({ path }) => path).sort()).toEqual([
    '/body/purchaseDate',
    '/body/registration/startDate',
  ])
})

test('the schema is checked before the showroom, the showroom before the binding', async () => {
  const codes = [
    suv({ showroomCode: ' ', purchaseDate: 'x' }),
    suv({ showroomCode: ' ' }),
    suv({ showroomCode: undefined }),
    suv({ showroomCode: 'PER01' }),
  ]
  const answers = await Promise.all(codes.map((body) => post('/v1/quote', body)))
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [400, 'bad_request'],
    [400, 'INVALID_SHOWROOM_CODE'],
    [400, 'INVALID_SHOWROOM_CODE'],
    [403, 'SHOWROOM_ACCESS_DENIED'],
  ])
})

test('a client without the grant is told so before its body is read', async () => {
  const response = await server.post('/v1/quote', 'no json', bearer(await server.token('uploader')))
  expect([response.status, await response.json()]).toMatchObject([403, { code: 'INSUFFICIENT_SCOPE' }])
})

test('a body that is not JSON is bad_request', async () => {
  for (const body of ['{"pricingCode":', '"text"', '{"__proto__":{}}']) {
    expect(await post('/v1/quote', body)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  }
})

test('a body of another media type is 415, and one that says no type too', async () => {
  for (const type of ['text/plain', 'application/yaml', 'application/merge-patch+json']) {
    const answer = await post('/v1/quote', suv(), { 'content-type': type })
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  }
  expect(
    await raw(
      `POST /v1/quote HTTP/1.1\r\nhost: x\r\nauthorization: ${auth.authorization}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
    ),
  ).toContain('415')
})

test('a body with a charset is read', async () => {
  const answer = await post('/v1/quote', suv({ showroomCode: '' }), {
    'content-type': 'application/json; charset=utf-8',
  })
  expect(answer.body.code).toBe('INVALID_SHOWROOM_CODE')
})

test('a POST without any body is told that it needs one', async () => {
  const answer = await raw(
    `POST /v1/quote HTTP/1.1\r\nhost: x\r\nauthorization: ${auth.authorization}\r\nconnection: close\r\n\r\n`,
  )
  expect(answer).toContain('"path":"/body"')
})

test('a body over 256 KiB is 413, with a length and without', async () => {
  const padded = JSON.stringify({ ...suv(), padding: 'x'.repeat(300_000) })
  expect(await post('/v1/quote', padded)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(
      `${server.url}/v1/quote`,
      { method: 'POST', headers: { ...auth, 'content-type': 'application/json' } },
      (response) => resolve(response.statusCode),
    )
    request.on('error', reject)
    request.write(padded.slice(0, 200_000))
    request.end(padded.slice(200_000))
  })
  expect(status).toBe(413)
})

test('an unknown path is 404 and a wrong method 405 with Allow', async () => {
  const nowhere = await server.get('/v1/nowhere')
  expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { code: 'not_found' }])
  const wrong = await server.get('/v1/quote')
  expect([wrong.status, wrong.headers.get('allow'), await wrong.json()]).toMatchObject([
    405,
    'POST',
    { code: 'method_not_allowed' },
  ])
})

test('every method that HTTP knows and a path does not have is 405', async () => {
  for (const method of ['TRACE', 'PURGE', 'SEARCH', 'DELETE', 'PROPFIND']) {
    const answer = await raw(`${method} /v1/quote HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect([method, answer.split('\r\n')[0]]).toEqual([method, 'HTTP/1.1 405 Method Not Allowed'])
    expect(answer).toContain('"code":"method_not_allowed"')
  }
})

test('every answer has a request id: the one sent, or a new one for none and for a strange one', async () => {
  const sent = await server.get('/spec', { 'x-request-id': 'abc-1' })
  expect(sent.headers.get('x-request-id')).toBe('abc-1')
  for (const headers of [{}, { 'x-request-id': 'a b"c' }] as Record<string, string>[]) {
    const answer = await server.get('/nowhere', headers)
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('before the rates are loaded a quote is 503 with Retry-After', async () => {
  const other = await startPricingServer()
  const token = await other.token()
  other.holder.swap({ rates: undefined })
  const response = await other.post('/v1/quote', suv(), bearer(token))
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toMatchObject([
    503,
    '2',
    { code: 'not_ready' },
  ])
  await other.close()
})

test('a client that hangs up in the middle of its body is counted as gone, and the next one is served', async () => {
  const head = `POST /v1/quote HTTP/1.1\r\nhost: x\r\nauthorization: ${auth.authorization}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"pricing`
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await new Promise<void>((resolve) => socket.write(head, () => resolve()))
  setTimeout(() => socket.destroy(), 50)
  await waitFor('the hang-up to be counted', async () => {
    const metrics = await server.registry.metrics()
    return metrics.includes('driveaway_requests_total{operation="createQuote",status="499"} 1')
  })
  expect(await server.registry.metrics()).not.toContain('status="500"')
  expect((await post('/v1/quote', suv({ showroomCode: '' }))).status).toBe(400)
})

test('a request under way when the server stops is still answered, and the stop does not wait for its connection', async () => {
  const other = await startPricingServer()
  const body = JSON.stringify(suv({ showroomCode: '' }))
  const token = await other.token()
  const head = `POST /v1/quote HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
  const socket = connect(Number(new URL(other.url).port), '127.0.0.1')
  let received = ''
  socket.on('data', (data) => (received += String(data)))
  const left = new Promise((resolve) => socket.on('close', resolve))
  await new Promise<void>((resolve) =>
    socket.write(`${head}content-length: ${body.length}\r\n\r\n${body.slice(0, 20)}`, () => resolve()),
  )
  // What was written before these were asked has been read when they are answered.
  for (let count = 0; count < 3; count += 1) await (await other.get('/spec')).text()
  const start = performance.now()
  const closed = other.close()
  await expect(fetch(`${other.url}/spec`)).rejects.toThrow()
  socket.write(body.slice(20))
  // The server may be done before this side has read what it sent.
  await Promise.all([closed, left])
  expect(received).toContain('INVALID_SHOWROOM_CODE')
  expect(performance.now() - start).toBeLessThan(2_000)
})

test('the specification is the contract, and is not sent twice to who has it', async () => {
  const response = await server.get('/spec')
  const document = (await response.json()) as { openapi: string; paths: Record<string, object> }
  expect(document.openapi).toBe('3.0.3')
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) {
      const answer = await fetch(`${server.url}${path}`, { method: method.toUpperCase() })
      expect([path, answer.status]).toEqual([path, path.startsWith('/v1/') ? 401 : openStatus(path)])
    }
  }
  const again = await server.get('/spec', { 'if-none-match': response.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
})

/** Without a form, the token endpoint refuses the form. */
const openStatus = (path: string) => (path === '/oauth/token' ? 400 : 200)

/** Sends bytes as they are and returns all that comes back. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(text))
    let received = ''
    socket.on('data', (data) => (received += String(data)))
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}
