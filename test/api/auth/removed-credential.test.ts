import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClientBinding } from '../../../rates/published/format.ts'
import { hashSecret } from '../../../rates/published/hashed-secret.ts'
import { bearer, binding, clientsOf, ISSUER, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'

let server: PricingServer
beforeAll(async () => {
  server = await startPricingServer()
})
afterAll(() => server.close())

const hold = (change: Partial<ClientBinding>) =>
  server.holder.swap({ clients: clientsOf(binding('northside', change)) })

async function tokenWith(credential: Record<string, string>): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'northside', ...credential })
  const response = await fetch(`${server.url}/oauth/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}

async function outcome(token: string): Promise<string> {
  const response = await server.post('/v1/quote', suv({ showroomCode: 'NOT-OURS' }), bearer(token))
  return ((await response.json()) as { code: string }).code
}
const outcomes = (tokens: string[]) => Promise.all(tokens.map(outcome))
const [ACCEPTED, REFUSED] = ['SHOWROOM_ACCESS_DENIED', 'UNAUTHENTICATED']

test('a token ends with the secret that it was got with; that of the other secret goes on', async () => {
  const [one, two] = [hashSecret('first'.repeat(10), '01'.repeat(16)), hashSecret('second'.repeat(10), '02'.repeat(16))]
  hold({ secrets: [one, two] })
  const tokens = [
    await tokenWith({ client_secret: 'first'.repeat(10) }),
    await tokenWith({ client_secret: 'second'.repeat(10) }),
  ]
  expect(await outcomes(tokens)).toEqual([ACCEPTED, ACCEPTED])
  hold({ secrets: [two] })
  expect(await outcomes(tokens)).toEqual([REFUSED, ACCEPTED])
  hold({ secrets: [one, two] })
  expect(await outcomes(tokens)).toEqual([ACCEPTED, ACCEPTED])
})

test('a token ends when its secret is replaced by another of the same name', async () => {
  hold({ secrets: [hashSecret('old'.repeat(20), '01'.repeat(16))] })
  const token = await tokenWith({ client_secret: 'old'.repeat(20) })
  expect(await outcome(token)).toBe(ACCEPTED)
  hold({ secrets: [hashSecret('new'.repeat(20), '01'.repeat(16))] })
  expect(await outcome(token)).toBe(REFUSED)
})

async function tokenBy(key: CryptoKey, kid?: string): Promise<string> {
  const assertion = new SignJWT({ jti: randomUUID() }).setProtectedHeader({ alg: 'ES256', ...(kid && { kid }) })
  assertion.setIssuer('northside').setSubject('northside').setAudience(ISSUER).setIssuedAt().setExpirationTime('60s')
  return tokenWith({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertion.sign(key),
  })
}

test('a token ends with the key that signed its assertion; that of the other key goes on', async () => {
  const [one, two] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  const keyOf = async ({ publicKey }: typeof one, kid?: string) => ({
    ...(await exportJWK(publicKey)),
    ...(kid && { kid }),
  })
  const [k1, k2] = [await keyOf(one, 'k1'), await keyOf(two, 'k2')]
  hold({ secrets: [], jwks: [{ keys: [k1] }, { keys: [k2] }] })
  const tokens = [await tokenBy(one.privateKey, 'k1'), await tokenBy(two.privateKey, 'k2')]
  expect(await outcomes(tokens)).toEqual([ACCEPTED, ACCEPTED])
  hold({ secrets: [], jwks: [{ keys: [k2] }] })
  expect(await outcomes(tokens)).toEqual([REFUSED, ACCEPTED])
  hold({ secrets: [], jwks: [{ keys: [await keyOf(one)] }] })
  const nameless = await tokenBy(one.privateKey)
  expect(await outcome(nameless)).toBe(ACCEPTED)
  hold({ secrets: [], jwks: [{ keys: [k2] }] })
  expect(await outcome(nameless)).toBe(REFUSED)
})

test('a token tells nothing of the secret that it was got with', async () => {
  const secret = hashSecret('first'.repeat(10), '01'.repeat(16))
  hold({ secrets: [secret] })
  const [, payload] = (await tokenWith({ client_secret: 'first'.repeat(10) })).split('.')
  const text = Buffer.from(payload ?? '', 'base64url').toString()
  for (const part of [secret.hash, secret.salt, secret.hash.slice(0, 16)]) expect(text).not.toContain(part)
})
