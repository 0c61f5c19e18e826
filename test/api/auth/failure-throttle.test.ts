import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFailureThrottle } from '../../../api/auth/failure-throttle.ts'
import { SECRET, startPricingServer, type PricingServer } from '../pricing-server.ts'

let server: PricingServer
beforeAll(async () => {
  server = await startPricingServer(undefined, undefined, { proxyHops: 1 })
})
afterAll(() => server.close())

async function ask(client_id: string, client_secret: string, address = '203.0.113.9') {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const headers = { 'x-forwarded-for': `10.9.8.7, ${address}` }
  const response = await fetch(`${server.url}/oauth/token`, { method: 'POST', body, headers })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, string> }
}

test('more than thirty failures a minute for one client are 429, from whatever addresses', async () => {
  for (let n = 0; n < 30; n += 1) expect((await ask('dealer', 'wrong', `203.0.113.${n}`)).status).toBe(401)
  const { status, headers, body } = await ask('dealer', 'wrong', '203.0.113.99')
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask('another', 'wrong', '203.0.113.98')).status).toBe(401)
})

test('whoever has the secret gets a token, whatever others try in its name or from its address', async () => {
  for (let n = 0; n < 130; n += 1) await ask('uploader', 'wrong', '192.0.2.1')
  expect((await ask('uploader', 'wrong', '192.0.2.1')).status).toBe(429)
  expect((await ask('uploader', SECRET, '192.0.2.1')).status).toBe(200)
})

test('more than 120 failures a minute from one address are 429, in whatever names; other addresses are not touched', async () => {
  for (let n = 0; n < 120; n += 1) expect((await ask(`client-${n}`, 'wrong', '198.51.100.7')).status).toBe(401)
  expect((await ask('client-x', 'wrong', '198.51.100.7')).status).toBe(429)
  expect((await ask('client-x', 'wrong', '198.51.100.8')).status).toBe(401)
})

test('the next minute begins anew', async () => {
  for (let n = 0; n < 31; n += 1) await ask('suspended', 'wrong', '192.0.2.77')
  expect((await ask('suspended', 'wrong', '192.0.2.77')).status).toBe(429)
  server.advance(61_000)
  expect((await ask('suspended', 'wrong', '192.0.2.77')).status).toBe(401)
})

test('without a proxy of ours, X-Forwarded-For is what anybody may write', async () => {
  const direct = await startPricingServer()
  const statuses: number[] = []
  for (let n = 0; n < 121; n += 1) {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: `c${n}`, client_secret: 'x' })
    const headers = { 'x-forwarded-for': `203.0.113.${n}` }
    statuses.push((await fetch(`${direct.url}/oauth/token`, { method: 'POST', body, headers })).status)
  }
  await direct.close()
  expect(statuses.slice(-2)).toEqual([401, 429])
})

test('of IPv6 a whole /64 counts as one address, and an IPv4 address as itself however it is written', () => {
  const throttle = createFailureThrottle(() => 0, { perAddress: 1 })
  const wait = (address: string) => throttle.failed({ client: undefined, address }) !== undefined
  expect([wait('2001:db8:1:2::1'), wait('2001:db8:1:2:ffff::9'), wait('2001:db8:1:3::1')]).toEqual([false, true, false])
  expect([wait('192.0.2.1'), wait('::ffff:192.0.2.1'), wait('192.0.2.2')]).toEqual([false, true, false])
})

test('memory is bounded: of a hundred thousand names and addresses, only the last ten thousand are known', () => {
  const throttle = createFailureThrottle(() => 0, { perClient: 1, perAddress: 1 })
  const failed = (n: number) =>
    throttle.failed({ client: `client-${n}`, address: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` })
  for (let n = 0; n < 100_000; n += 1) expect(failed(n)).toBeUndefined()
  // The second failure of each would be one too many, were its first still known.
  expect([failed(0), failed(50_000), failed(89_000)]).toEqual([undefined, undefined, undefined])
  expect(failed(99_999)).toBeGreaterThan(0)
})
