import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpServer } from '../../../api/http/serve.ts'
import { startInventoryServer } from '../inventory-server.ts'
import { bearer, binding, clientsOf, ISSUER, startPricingServer, type PricingServer } from '../pricing-server.ts'

let pricing: PricingServer
let inventory: HttpServer

beforeAll(async () => {
  pricing = await startPricingServer()
  const write = { grants: ['inventory:write'] }
  const suspended = binding('suspended', { ...write, suspended: true })
  // A process that serves inventory alone holds no rates.
  pricing.holder.swap({ clients: clientsOf(binding('dealer'), binding('uploader', write), suspended) })
  inventory = await startInventoryServer(pricing.holder)
})
afterAll(async () => {
  await inventory.close()
  await pricing.close()
})

async function answerOf(headers: Record<string, string>, path = '/anything', method = 'POST') {
  const response = await fetch(`${inventory.url}${path}`, { method, headers })
  const { code } = (await response.json()) as { code?: string }
  return { status: response.status, code, challenge: response.headers.get('www-authenticate') }
}

test('the specification and its reference are for anybody', async () => {
  for (const path of ['/spec', '/docs', '/docs/start.js', '/docs/swagger-ui.css']) {
    expect([path, (await fetch(`${inventory.url}${path}`)).status]).toEqual([path, 200])
    expect([path, (await fetch(`${inventory.url}${path}`, { method: 'HEAD' })).status]).toEqual([path, 200])
  }
})

test('the specification says where a token is got: at the pricing service of this environment', async () => {
  const { components } = (await (await fetch(`${inventory.url}/spec`)).json()) as {
    components: { securitySchemes: { clientCredentials: { flows: { clientCredentials: { tokenUrl: string } } } } }
  }
  const { tokenUrl } = components.securitySchemes.clientCredentials.flows.clientCredentials
  expect(tokenUrl).toBe(`${ISSUER}/oauth/token`)
})

test('everything else asks for a token first, whether it exists or not', async () => {
  const asked = { status: 401, code: 'not-authenticated', challenge: 'Bearer realm="driveaway"' }
  for (const path of ['/batch', '/jobs/1', '/spec', '/spec/', '/docs', '/docs/start.js', '/docsx', '/nowhere'])
    expect(await answerOf({}, path)).toEqual(asked)
  for (const path of ['/docsx', '/specification', '/jobs/docs', '/x/docs/start.js'])
    expect([path, await answerOf({}, path, 'GET')]).toEqual([path, asked])
})

test('a token with the grant is let through', async () => {
  const token = await pricing.token('uploader')
  expect(await answerOf(bearer(token), '/nowhere', 'GET')).toMatchObject({ status: 404, code: 'not_found' })
})

// fetch sends no TRACE.
const statusOf = (method: string, token: string) =>
  new Promise((resolve, reject) => {
    const sent = request(`${inventory.url}/batch`, { method, headers: bearer(token) }, (response) => {
      response.resume()
      resolve([method, response.statusCode, response.headers.allow])
    })
    sent.once('error', reject).end()
  })

test('every method that HTTP knows and a path does not have is 405', async () => {
  const token = await pricing.token('uploader')
  for (const method of ['TRACE', 'PURGE', 'SEARCH', 'DELETE', 'PROPFIND', 'GET'])
    expect(await statusOf(method, token)).toEqual([method, 405, 'POST'])
})

test('a token that does not hold is refused with 401', async () => {
  const refused = { status: 401, code: 'UNAUTHENTICATED', challenge: expect.stringContaining('invalid_token') }
  expect(await answerOf(bearer('abc'))).toEqual(refused)
})

test('a client without the grant is refused with 403 INSUFFICIENT_SCOPE', async () => {
  const answer = await answerOf(bearer(await pricing.token('dealer')))
  expect(answer).toMatchObject({ status: 403, code: 'INSUFFICIENT_SCOPE' })
  expect(answer.challenge).toContain('scope="inventory:write"')
})

test('a suspended client is refused with 403 USER_INACTIVE', async () => {
  const answer = await answerOf(bearer(await pricing.token('suspended')))
  expect(answer).toMatchObject({ status: 403, code: 'USER_INACTIVE' })
})

test('rates are not needed; clients and keys are', async () => {
  const token = await pricing.token('uploader')
  const { rates, clients } = pricing.holder.read()
  pricing.holder.swap({ rates: undefined })
  expect(await answerOf(bearer(token))).toMatchObject({ status: 404 })
  pricing.holder.swap({ clients: undefined })
  expect(await answerOf(bearer(token))).toMatchObject({ status: 503, code: 'not_ready' })
  pricing.holder.swap({ rates, clients })
})
