import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../runtime/log.ts'
import { bearer, binding, clientsOf, SECRET, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'

const lines: string[] = []
let server: PricingServer
beforeAll(async () => {
  const log = createLog({ name: 'test' }, { write: (line) => void lines.push(line) })
  server = await startPricingServer(undefined, undefined, { log })
})
beforeEach(() => void lines.splice(0))
afterAll(() => server.close())

/** The lines that a search of the log for this request finds. */
const found = (requestId: string) =>
  lines.filter((line) => line.includes(requestId)).map((line) => JSON.parse(line) as Record<string, unknown>)

async function tokenRequest(form: Record<string, string>, requestId: string) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...form })
  return fetch(`${server.url}/oauth/token`, { method: 'POST', body, headers: { 'x-request-id': requestId } })
}

test('each issued token is one line: client, how it authenticated, grants, request id', async () => {
  const response = await tokenRequest({ client_id: 'dealer', client_secret: SECRET }, 'issue-1')
  const { access_token: token } = (await response.json()) as { access_token: string }
  expect(found('issue-1')).toEqual([
    expect.objectContaining({
      ...{ event: 'token_issued', client: 'dealer', method: 'client_secret_post', scope: 'pricing:quote' },
      ...{ operation: 'createToken', address: '127.0.0.1' },
    }),
  ])
  const all = lines.join('')
  for (const secret of [SECRET, token, token.split('.')[2]!]) expect(all).not.toContain(secret)
})

test('each failed authentication is one line that says who was named and why, never with what', async () => {
  await tokenRequest({ client_id: 'dealer', client_secret: 'not-the-secret-at-all' }, 'fail-1')
  await tokenRequest({ client_id: 'x'.repeat(5000), client_secret: 'y' }, 'fail-2')
  await tokenRequest({}, 'fail-3')
  const failed = { event: 'authentication_failed', reason: 'invalid_client', operation: 'createToken' }
  expect(found('fail-1')).toEqual([
    expect.objectContaining({ ...failed, client: 'dealer', method: 'client_secret_post' }),
  ])
  expect(found('fail-2')).toEqual([expect.objectContaining({ ...failed, client: 'x'.repeat(128) })])
  expect(found('fail-3')).toEqual([expect.objectContaining(failed)])
  expect(lines.join('')).not.toContain('not-the-secret-at-all')
})

async function quote(headers: Record<string, string>, requestId: string, body: unknown = suv()): Promise<number> {
  return (await server.post('/v1/quote', body, { ...headers, 'x-request-id': requestId })).status
}

test('each denial is one line: client, grant and reason', async () => {
  expect(await quote(bearer(await server.token('suspended')), 'deny-1')).toBe(403)
  expect(await quote(bearer(await server.token('uploader')), 'deny-2')).toBe(403)
  expect(await quote(bearer(await server.token('dealer')), 'deny-3', suv({ showroomCode: 'ALB01' }))).toBe(403)
  const denied = { event: 'denied', operation: 'createQuote', status: 403 }
  const grant = 'pricing:quote'
  expect(found('deny-1')).toEqual([
    expect.objectContaining({ ...denied, client: 'suspended', grant, code: 'USER_INACTIVE', reason: 'suspended' }),
  ])
  expect(found('deny-2')).toEqual([
    expect.objectContaining({
      ...denied,
      client: 'uploader',
      grant,
      code: 'INSUFFICIENT_SCOPE',
      reason: 'grant_not_given',
    }),
  ])
  expect(found('deny-3')).toEqual([
    expect.objectContaining({
      ...denied,
      client: 'dealer',
      code: 'SHOWROOM_ACCESS_DENIED',
      path: '/body/showroomCode',
    }),
  ])
})

test('a refused token is one line with the reason, and with the client where its signature held', async () => {
  const token = await server.token('dealer')
  await quote({}, 'no-1')
  await quote(bearer('abc'), 'no-2')
  await quote(bearer(`${token.slice(0, -20)}${'A'.repeat(20)}`), 'no-3')
  server.advance(2 * 3600 * 1000)
  await quote(bearer(token), 'no-4')
  server.advance(-2 * 3600 * 1000)
  const failed = { event: 'authentication_failed', operation: 'createQuote', status: 401 }
  expect(found('no-1')).toEqual([expect.objectContaining({ ...failed, code: 'not-authenticated' })])
  expect(found('no-2')).toEqual([
    expect.objectContaining({ ...failed, reason: 'the token is not in its canonical form' }),
  ])
  expect(found('no-3')).toEqual([
    expect.objectContaining({ ...failed, reason: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' }),
  ])
  expect(found('no-4')).toEqual([expect.objectContaining({ ...failed, client: 'dealer', reason: 'ERR_JWT_EXPIRED' })])
  expect(lines.join('')).not.toContain(token.slice(0, 60))
})

test('a token whose client was deleted or made anew says so in its line', async () => {
  const token = await server.token('dealer')
  const { clients } = server.holder.read()
  server.holder.swap({ clients: clientsOf(binding('other')) })
  await quote(bearer(token), 'gone-1')
  server.holder.swap({ clients: clientsOf(binding('dealer', { uid: 'another' })) })
  await quote(bearer(token), 'gone-2')
  server.holder.swap({ clients })
  expect(found('gone-1')).toEqual([expect.objectContaining({ client: 'dealer', reason: 'client_deleted' })])
  expect(found('gone-2')).toEqual([expect.objectContaining({ client: 'dealer', reason: 'client_recreated' })])
})

test('searching the log for a request id finds refusals and failures too', async () => {
  const headers = bearer(await server.token('dealer'))
  await quote(headers, 'bad-1', suv({ purchaseDate: 5 }))
  await server.get('/nowhere', { 'x-request-id': 'bad-2' })
  const { rates } = server.holder.read()
  const broken = {
    ...rates!.snapshot,
    get jurisdictions(): never {
      throw new Error('broken here')
    },
  }
  server.holder.swap({ rates: { ...rates!, snapshot: broken } })
  await quote(headers, 'bad-3')
  server.holder.swap({ rates })
  const refused = { event: 'refused', client: 'dealer', code: 'bad_request', path: '/body/purchaseDate' }
  expect(found('bad-1')).toEqual([expect.objectContaining(refused)])
  expect(found('bad-2')).toEqual([expect.objectContaining({ event: 'refused', status: 404, code: 'not_found' })])
  const failed = {
    level: 'error',
    event: 'failed',
    client: 'dealer',
    err: expect.objectContaining({ message: 'broken here' }),
  }
  expect(found('bad-3')).toEqual([expect.objectContaining(failed)])
})

test('a quote that is given is no line: its caller and its number are metrics', async () => {
  await quote(bearer(await server.token('dealer')), 'fine-1', suv({ pricingCode: 'AU_VIC' }))
  expect(found('fine-1').filter(({ status }) => status === undefined)).toEqual([])
})

test('tokens, their refusals and denials are counted', async () => {
  const before = await server.registry.metrics()
  await server.token('dealer')
  await tokenRequest({ client_id: 'nobody-else', client_secret: 'y' }, 'count-1')
  await quote(bearer(await server.token('suspended')), 'count-2')
  const after = await server.registry.metrics()
  const value = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1] ?? 0,
    )
  const grown = (series: string) => value(after, series) - value(before, series)
  expect(grown('driveaway_tokens_issued_total{method="client_secret_post"}')).toBe(2)
  expect(grown('driveaway_token_refusals_total{reason="invalid_client"}')).toBe(1)
  expect(grown('driveaway_access_refusals_total{code="USER_INACTIVE"}')).toBe(1)
})
