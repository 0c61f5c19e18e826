import { createHmac } from 'node:crypto'
import { exportSPKI, importJWK, SignJWT, type CryptoKey, type JWTHeaderParameters } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  AUDIENCE,
  bearer,
  binding,
  clientsOf,
  ISSUER,
  keyRing,
  newSigningKey,
  startPricingServer,
  suv,
  type PricingServer,
} from '../pricing-server.ts'

let server: PricingServer
beforeAll(async () => {
  server = await startPricingServer()
})
afterAll(() => server.close())

const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'dealer', client_id: 'dealer', client_uid: 'uid-of-dealer' }

interface Forgery {
  header?: Partial<JWTHeaderParameters>
  claims?: Record<string, unknown>
  key?: CryptoKey
}

/** A token as ours are, but for what is changed. */
async function tokenWith(change: Forgery = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const payload = { ...claims, scope: 'pricing:quote', jti: 'j', iat: now, exp: now + 600, ...change.claims }
  const own = (await importJWK(server.signingKey, 'EdDSA')) as CryptoKey
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: 'k1', ...change.header })
    .sign(change.key ?? own)
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What a token meets: the code of the answer, SHOWROOM_ACCESS_DENIED once it is accepted. */
async function outcome(token: string): Promise<{ status: number; code: string; challenge: string | null }> {
  const response = await server.post('/v1/quote', suv({ showroomCode: 'NOT-OURS' }), bearer(token))
  const { code } = (await response.json()) as { code: string }
  return { status: response.status, code, challenge: response.headers.get('www-authenticate') }
}

const accepted = { status: 403, code: 'SHOWROOM_ACCESS_DENIED', challenge: null }
const refused = { status: 401, code: 'UNAUTHENTICATED', challenge: expect.stringContaining('error="invalid_token"') }

test('a token of RFC 9068 by the current key is accepted, twice', async () => {
  const token = await tokenWith()
  expect([await outcome(token), await outcome(token)]).toEqual([accepted, accepted])
})

const forgeries: Record<string, () => Promise<string>> = {
  'an expired token': () => tokenWith({ claims: { exp: Math.floor(Date.now() / 1000) - 1 } }),
  'a token that is not yet valid': () => tokenWith({ claims: { nbf: Math.floor(Date.now() / 1000) + 60 } }),
  'a token without an end': () => tokenWith({ claims: { exp: undefined } }),
  'a token for another audience': () => tokenWith({ claims: { aud: 'another' } }),
  'a token of another issuer': () => tokenWith({ claims: { iss: 'https://other.test' } }),
  'an ID token, of typ JWT': () => tokenWith({ header: { typ: 'JWT' } }),
  'a token whose subject is a user': () => tokenWith({ claims: { sub: 'someone' } }),
  'a token without the uid of its client': () => tokenWith({ claims: { client_uid: undefined } }),
  'a token of an earlier client of the same name': () => tokenWith({ claims: { client_uid: 'uid-of-yesterday' } }),
  'a token of a client that is not there': () => tokenWith({ claims: { sub: 'gone', client_id: 'gone' } }),
  'a token by a key of nobody': async () => {
    return tokenWith({ key: (await importJWK(await newSigningKey('k1'), 'EdDSA')) as CryptoKey })
  },
  'a token that names an unknown key': () => tokenWith({ header: { kid: 'k9' } }),
  'a token whose key is named by a path': () => tokenWith({ header: { kid: '../k1' } }),
  'a token whose key is named as what every object has': () => tokenWith({ header: { kid: 'constructor' } }),
  'a token without a kid': () => tokenWith({ header: { kid: undefined as never } }),
  'a token by a key that its header brings along': async () => {
    const own = await newSigningKey('mine')
    const key = (await importJWK(own, 'EdDSA')) as CryptoKey
    return tokenWith({ key, header: { kid: 'mine', jwk: { ...own, d: undefined } as never, jku: 'https://evil.test' } })
  },
  'a token of more than 8192 characters': () => tokenWith({ claims: { padding: 'p'.repeat(6200) } }),
  'a token with a changed claim': async () => {
    const [header, , signature] = (await tokenWith()).split('.')
    return `${header}.${encoded({ ...claims, client_id: 'uploader', sub: 'uploader' })}.${signature}`
  },
  'a token that is no JWT': () => Promise.resolve('abc'),
  'an empty token': () => Promise.resolve(''),
  'a token of algorithm none': async () => {
    const [, payload] = (await tokenWith()).split('.')
    return `${encoded({ alg: 'none', typ: 'at+jwt', kid: 'k1' })}.${payload}.`
  },
  'a token signed by HMAC with our public key': async () => {
    const publicJwk = { ...server.signingKey, d: undefined }
    const pem = await exportSPKI((await importJWK(publicJwk, 'EdDSA', { extractable: true })) as CryptoKey)
    const [, payload] = (await tokenWith()).split('.')
    const signed = `${encoded({ alg: 'HS256', typ: 'at+jwt', kid: 'k1' })}.${payload}`
    return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`
  },
}

for (const [what, forge] of Object.entries(forgeries)) {
  test(`${what} is refused with 401`, async () => {
    expect(await outcome(await forge())).toEqual(refused)
  })
}

test('no credential, and one of another scheme, are told the scheme and no error', async () => {
  for (const headers of [{}, { authorization: 'Basic abc' }]) {
    const response = await server.post('/v1/quote', suv(), headers as Record<string, string>)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="driveaway"')
    expect(await response.json()).toMatchObject({ code: 'not-authenticated' })
  }
})

test('a remembered token ends at its expiry', async () => {
  const other = await startPricingServer()
  const token = await other.token()
  const ask = async () => (await other.post('/v1/quote', suv({ showroomCode: 'NOT-OURS' }), bearer(token))).status
  expect(await ask()).toBe(403)
  other.advance(3_540_000)
  expect(await ask()).toBe(403)
  other.advance(61_000)
  expect(await ask()).toBe(401)
  await other.close()
})

test('a remembered token ends when its key is no longer published, and lives while the key is previous', async () => {
  const other = await startPricingServer()
  const token = await other.token()
  const ask = async () => (await other.post('/v1/quote', suv({ showroomCode: 'NOT-OURS' }), bearer(token))).status
  expect(await ask()).toBe(403)
  const next = await newSigningKey('k2')
  other.holder.swap({ keys: await keyRing(['current', next], ['previous', other.signingKey]) })
  expect(await ask()).toBe(403)
  other.holder.swap({ keys: await keyRing(['current', next]) })
  expect(await ask()).toBe(401)
  await other.close()
})

test('suspension, a lost grant and a client made anew reach tokens that were issued before', async () => {
  const other = await startPricingServer()
  const token = await other.token()
  const ask = async () => {
    const response = await other.post('/v1/quote', suv({ showroomCode: 'NOT-OURS' }), bearer(token))
    return ((await response.json()) as { code: string }).code
  }
  expect(await ask()).toBe('SHOWROOM_ACCESS_DENIED')
  other.holder.swap({ clients: clientsOf(binding('dealer', { suspended: true })) })
  expect(await ask()).toBe('USER_INACTIVE')
  other.holder.swap({ clients: clientsOf(binding('dealer', { suspended: true, grants: [] })) })
  expect(await ask()).toBe('INSUFFICIENT_SCOPE')
  other.holder.swap({ clients: clientsOf(binding('dealer', { uid: 'made-anew' })) })
  expect(await ask()).toBe('UNAUTHENTICATED')
  await other.close()
})

test('a token that no header can hold is refused without harm to the requests after it', async () => {
  const response = await server.post('/v1/quote', suv(), bearer('t'.repeat(20_000)))
  expect([401, 431]).toContain(response.status)
  expect(await outcome(await tokenWith())).toEqual(accepted)
})
