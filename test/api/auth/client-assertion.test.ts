import { createHmac, randomUUID } from 'node:crypto'
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { binding, clientsOf, ISSUER, SECRET, startPricingServer, type PricingServer } from '../pricing-server.ts'

let server: PricingServer
let machine: { privateKey: CryptoKey; publicKey: CryptoKey }

beforeAll(async () => {
  server = await startPricingServer()
  machine = await generateKeyPair('ES256', { extractable: true })
  const other = await generateKeyPair('ES256', { extractable: true })
  const jwks = async (key: CryptoKey, kid: string) => [{ keys: [{ ...(await exportJWK(key)), kid }] }]
  server.holder.swap({
    clients: clientsOf(
      binding('machine', { secrets: [], jwks: await jwks(machine.publicKey, 'm1') }),
      binding('other-machine', { secrets: [], jwks: await jwks(other.publicKey, 'm1') }),
      binding('dealer'),
    ),
  })
})
// A minute for each test, so that none meets the throttle of the failures before it.
beforeEach(() => server.advance(61_000))
afterAll(() => server.close())

interface Change {
  claims?: JWTPayload
  header?: Partial<JWTHeaderParameters>
  key?: CryptoKey
}

const seconds = () => Math.floor(server.now() / 1000)
const payload = (claims: JWTPayload = {}) => ({
  ...{ iss: 'machine', sub: 'machine', aud: ISSUER, jti: randomUUID() },
  ...{ iat: seconds(), exp: seconds() + 60, ...claims },
})
const assertion = ({ claims, header, key = machine.privateKey }: Change = {}) =>
  new SignJWT(payload(claims)).setProtectedHeader({ alg: 'ES256', kid: 'm1', ...header }).sign(key)

async function ask(text: string, more: Record<string, string> = {}): Promise<string> {
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const form = { grant_type: 'client_credentials', client_assertion_type: type, client_assertion: text, ...more }
  const response = await fetch(`${server.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { error } = (await response.json()) as { error?: string }
  return `${response.status} ${error ?? 'token'}`
}

test('an assertion gets a token, with the issuer and with the token endpoint as its audience', async () => {
  for (const aud of [ISSUER, `${ISSUER}/oauth/token`]) {
    expect(await ask(await assertion({ claims: { aud } }))).toBe('200 token')
  }
})

test('an assertion that was used before is refused', async () => {
  const text = await assertion()
  expect([await ask(text), await ask(text)]).toEqual(['200 token', '401 invalid_client'])
})

test('of twenty uses at the same time, one gets a token', async () => {
  const text = await assertion()
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(text)))
  expect(answers.filter((answer) => answer === '200 token')).toHaveLength(1)
})

test('an assertion that names one client does not go with the client_id or the secret of another', async () => {
  expect(await ask(await assertion(), { client_id: 'dealer' })).toBe('400 invalid_request')
  expect(await ask(await assertion(), { client_id: 'dealer', client_secret: SECRET })).toBe('400 invalid_request')
})

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const attacks: Record<string, () => Promise<string>> = {
  'that lives too long': () => assertion({ claims: { exp: seconds() + 120 } }),
  'that lives too long by a time of issue in the future': () =>
    assertion({ claims: { iat: seconds() + 3600, exp: seconds() + 3660 } }),
  'that lives too long by a time of issue long ago': () => assertion({ claims: { iat: seconds() - 3600 } }),
  'without an end': () => assertion({ claims: { exp: undefined as never } }),
  'that has expired': () => assertion({ claims: { exp: seconds() - 30 } }),
  'that is not yet valid': () => assertion({ claims: { nbf: seconds() + 30 } }),
  'for another audience': () => assertion({ claims: { aud: 'https://other.test' } }),
  'for an address below the token endpoint': () => assertion({ claims: { aud: `${ISSUER}/oauth/token/` } }),
  'for several audiences': () => assertion({ claims: { aud: [ISSUER, 'https://other.test'] } }),
  'without a jti': () => assertion({ claims: { jti: undefined as never } }),
  'with an empty jti': () => assertion({ claims: { jti: '' } }),
  'with a jti of more than 256 characters': () => assertion({ claims: { jti: 'j'.repeat(257) } }),
  'of another client, by our own key under the same kid': () =>
    assertion({ claims: { iss: 'other-machine', sub: 'other-machine' } }),
  'issued by us for another client': () => assertion({ claims: { sub: 'other-machine' } }),
  'of a client that has a secret and no key': () => assertion({ claims: { iss: 'dealer', sub: 'dealer' } }),
  'of an unknown client': () => assertion({ claims: { iss: 'nobody', sub: 'nobody' } }),
  'by another key': async () => assertion({ key: (await generateKeyPair('ES256')).privateKey }),
  'by a key that its header brings along': async () => {
    const own = await generateKeyPair('ES256', { extractable: true })
    return assertion({ key: own.privateKey, header: { kid: 'mine', jwk: await exportJWK(own.publicKey) } })
  },
  'whose kid is unknown': () => assertion({ header: { kid: 'm9' } }),
  'whose kid is a path': () => assertion({ header: { kid: '../../m1' } }),
  'of algorithm none': () => Promise.resolve(`${encoded({ alg: 'none', kid: 'm1' })}.${encoded(payload())}.`),
  'signed by HMAC with the public key of the client': async () => {
    const signed = `${encoded({ alg: 'HS256', kid: 'm1' })}.${encoded(payload())}`
    const pem = await exportSPKI(machine.publicKey)
    return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`
  },
  'that is an access token of ours': async () => server.token('dealer'),
  'that is no JWT': () => Promise.resolve('abc'),
}
for (const [what, forge] of Object.entries(attacks)) {
  test(`an assertion ${what} is refused`, async () => expect(await ask(await forge())).toBe('401 invalid_client'))
}

test('an assertion that no form can hold is refused without harm to the requests after it', async () => {
  expect(await ask(await assertion({ claims: { padding: 'p'.repeat(40_000) } }))).toMatch(/^413 /)
  expect(await ask(await assertion())).toBe('200 token')
})
