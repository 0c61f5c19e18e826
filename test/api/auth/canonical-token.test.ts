import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeJwt } from 'jose'
import { createAuthenticate } from '../../../api/auth/authenticate.ts'
import { createTokenMemory } from '../../../api/auth/token-memory.ts'
import { AUDIENCE, bearer, ISSUER, SECRET, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'

let server: PricingServer
beforeAll(async () => {
  server = await startPricingServer()
})
afterAll(() => server.close())

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Other spellings of one token that decoders take for the same. */
function spellings(token: string): string[] {
  const last = ALPHABET.indexOf(token.at(-1)!)
  // 64 bytes are 86 letters, whose last has four bits to spare.
  const flipped = [1, 2, 4, 8].map((bit) => `${token.slice(0, -1)}${ALPHABET[last ^ bit]}`)
  return [
    ...flipped,
    `${token}=`,
    `${token}==`,
    `${token}.`,
    token.replaceAll('-', '+').replaceAll('_', '/'),
    `${token}\t`,
    ` ${token} `,
  ]
}

test('a token is taken in one spelling only', async () => {
  const token = await server.token()
  expect((await server.post('/v1/quote', suv(), bearer(token))).status).not.toBe(401)
  for (const other of spellings(token).filter((each) => each.trim() !== token)) {
    const { status } = await server.post('/v1/quote', suv(), bearer(other))
    expect([other.slice(-6), status]).toEqual([other.slice(-6), 401])
  }
})

test('a token that ends like one that is remembered is refused', async () => {
  const token = await server.token()
  expect((await server.post('/v1/quote', suv(), bearer(token))).status).not.toBe(401)
  const [head, , signature] = token.split('.') as [string, string, string]
  const claims = Buffer.from(JSON.stringify({ ...decodeJwt(token), client_id: 'finance' })).toString('base64url')
  const forged = `${head}.${claims}.${signature}`
  expect((await server.post('/v1/quote', suv(), bearer(forged))).status).toBe(401)
})

test('the memory of verified tokens holds a token once, however its header is written', async () => {
  const memory = createTokenMemory()
  let remembered = 0
  const counting = {
    ...memory,
    remember: (...args: Parameters<typeof memory.remember>) => {
      remembered += 1
      memory.remember(...args)
    },
  }
  const authenticate = createAuthenticate({ issuer: ISSUER, audience: AUDIENCE, clock: server.now }, counting)
  const token = await server.token()
  const { keys } = server.holder.read()
  for (const header of [
    `Bearer ${token}`,
    `bearer ${token}`,
    `BEARER ${token}`,
    `Bearer  ${token}`,
    `bEaReR   ${token} `,
  ]) {
    expect(await authenticate(header, keys!)).toMatchObject({ clientId: 'dealer' })
  }
  expect(remembered).toBe(1)
})

test('a scope that is asked for many times stands in the token once', async () => {
  const token = await server.token('dealer', Array.from({ length: 2000 }, () => 'pricing:quote').join(' '))
  expect(decodeJwt(token)['scope']).toBe('pricing:quote')
  expect(token.length).toBeLessThan(1000)
  expect((await server.post('/v1/quote', suv(), bearer(token))).status).not.toBe(431)
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'dealer',
    client_secret: SECRET,
    scope: 'pricing:quote pricing:quote',
  })
  const answer = (await (await fetch(`${server.url}/oauth/token`, { method: 'POST', body })).json()) as {
    scope: string
  }
  expect(answer.scope).toBe('pricing:quote')
})
