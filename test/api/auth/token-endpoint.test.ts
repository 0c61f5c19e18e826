import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  AUDIENCE,
  bearer,
  binding,
  clientsOf,
  ISSUER,
  SECRET,
  startPricingServer,
  suv,
  type PricingServer,
} from '../pricing-server.ts'

let server: PricingServer
beforeAll(async () => {
  server = await startPricingServer()
  server.holder.swap({
    clients: clientsOf(
      binding('dealer', { grants: ['pricing:quote', 'inventory:write'] }),
      binding('suspended', { suspended: true }),
      binding('machine', { secrets: [] }),
    ),
  })
})
afterAll(() => server.close())

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})

async function ask(form: Record<string, string> | [string, string][], headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
  })
  const body = (await response.json()) as Record<string, string>
  return { status: response.status, body, headers: response.headers }
}

const grant = { grant_type: 'client_credentials' }

test('client_secret_basic gets a token that the published keys verify, to be stored nowhere', async () => {
  const { status, body, headers } = await ask(grant, basic('dealer', SECRET))
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'pricing:quote inventory:write' })
  const keys = createRemoteJWKSet(new URL(`${server.url}/oauth/jwks`))
  const { payload } = await jwtVerify(body.access_token ?? '', keys, {
    issuer: ISSUER,
    audience: AUDIENCE,
    typ: 'at+jwt',
  })
  expect(payload).toMatchObject({ sub: 'dealer', client_id: 'dealer', client_uid: 'uid-of-dealer' })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600)
  expect(decodeProtectedHeader(body.access_token ?? '').alg).toBe('EdDSA')
})

test('scope narrows a token, and one beyond the grants is invalid_scope', async () => {
  const credentials = { ...grant, client_id: 'dealer', client_secret: SECRET }
  expect((await ask({ ...credentials, scope: 'inventory:write' })).body.scope).toBe('inventory:write')
  expect(await ask({ ...credentials, scope: 'admin' })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
})

test('a token narrowed to another grant does not price', async () => {
  const token = await server.token('dealer', 'inventory:write')
  const response = await server.post('/v1/quote', suv(), bearer(token))
  expect(response.status).toBe(403)
  expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="pricing:quote"')
  expect(await response.json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE' })
})

test('a suspended client gets a token and is told why it is of no use', async () => {
  const response = await server.post('/v1/quote', suv(), bearer(await server.token('suspended')))
  expect([response.status, await response.json()]).toMatchObject([403, { code: 'USER_INACTIVE' }])
})

test('a wrong secret and an unknown client get the same refusal, with a challenge for Basic', async () => {
  const wrong = await ask(grant, basic('dealer', `${SECRET}x`))
  const unknown = await ask(grant, basic('nobody', SECRET))
  expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  expect(unknown.body).toEqual(wrong.body)
  expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic /)
})

test('a client without any secret cannot use an empty one', async () => {
  expect(await ask(grant, basic('machine', ''))).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
})

const malformed: [string, [string, string][], Record<string, string>, string][] = [
  ['without grant_type', [['scope', 'pricing:quote']], basic('dealer', SECRET), 'invalid_request'],
  ['of another grant', [['grant_type', 'password']], basic('dealer', SECRET), 'unsupported_grant_type'],
  ['without a client', [['grant_type', 'client_credentials']], {}, 'invalid_client'],
  [
    'with two secrets',
    [...Object.entries(grant), ['client_secret', SECRET]],
    basic('dealer', SECRET),
    'invalid_request',
  ],
  [
    'with a parameter twice',
    [...Object.entries(grant), ['scope', 'a'], ['scope', 'b']],
    basic('dealer', SECRET),
    'invalid_request',
  ],
  ['with broken Basic', Object.entries(grant), { authorization: 'Basic !' }, 'invalid_client'],
]
for (const [what, form, headers, error] of malformed) {
  test(`a token request ${what} is ${error}`, async () => {
    const answer = await ask(form, headers)
    expect(answer.body.error).toBe(error)
    expect(answer.status).toBe(error === 'invalid_client' ? 401 : 400)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
}

test('a token request in JSON is invalid_request', async () => {
  const response = await server.post('/oauth/token', { ...grant, client_id: 'dealer', client_secret: SECRET })
  expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }])
})

test('the metadata names the endpoints of this issuer', async () => {
  const metadata = (await (await server.get('/.well-known/oauth-authorization-server')).json()) as Record<
    string,
    unknown
  >
  expect(metadata).toMatchObject({
    issuer: ISSUER,
    token_endpoint: `${ISSUER}/oauth/token`,
    jwks_uri: `${ISSUER}/oauth/jwks`,
    grant_types_supported: ['client_credentials'],
  })
})

test('the published keys hold nothing private', async () => {
  const { keys } = (await (await server.get('/oauth/jwks')).json()) as { keys: Record<string, string>[] }
  expect(keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', x: server.signingKey.x, kid: 'k1', alg: 'EdDSA', use: 'sig' }])
})
