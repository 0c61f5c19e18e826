import { expect, test } from 'vitest'
import { bearer, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'

async function limited(requestsPerMinute: number | undefined, use: (server: PricingServer) => Promise<void>) {
  const server = await startPricingServer(undefined, undefined, { requestsPerMinute })
  // The middle of a minute, so that no test meets its end.
  server.advance(60_000 - (server.now() % 60_000) + 20_000)
  await use(server).finally(() => server.close())
}
const ask = async (server: PricingServer, client: string) =>
  server.get('/v1/concessions?pricingCode=AU_VIC', bearer(await server.token(client)))

test('a client that has made its requests of the minute is 429 RATE_LIMITED, with fields that say so', () =>
  limited(3, async (server) => {
    const answers: Response[] = []
    for (let n = 0; n < 4; n += 1) answers.push(await ask(server, 'dealer'))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 429])
    expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"client";r=2;t=(39|40)$/)
    const last = answers[3]!
    expect(last.headers.get('ratelimit-policy')).toBe('"client";q=3;w=60')
    expect(last.headers.get('ratelimit')).toMatch(/^"client";r=0;t=/)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await last.json()).toMatchObject({ code: 'RATE_LIMITED' })
  }))

test('each client has its own limit, and every minute begins anew', () =>
  limited(1, async (server) => {
    const statuses = async (client: string) => (await ask(server, client)).status
    expect([await statuses('dealer'), await statuses('dealer')]).toEqual([400, 429])
    // Not granted pricing: refused before it is counted.
    expect(await statuses('uploader')).toBe(403)
    server.advance(60_000)
    expect(await statuses('dealer')).toBe(400)
  }))

test('a request that nobody can be named for is not counted', () =>
  limited(1, async (server) => {
    expect((await server.post('/v1/quote', suv())).status).toBe(401)
    expect((await ask(server, 'dealer')).status).toBe(400)
  }))

test('without a limit, nothing says that there is one', () =>
  limited(undefined, async (server) => {
    expect((await ask(server, 'dealer')).headers.get('ratelimit')).toBeNull()
  }))
