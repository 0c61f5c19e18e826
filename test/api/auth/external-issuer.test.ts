import { createHmac } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followExternalIssuers, type ExternalIssuers } from '../../../api/auth/external-issuers.ts'
import { ISSUER_ALGORITHMS, type ExternalIssuer } from '../../../api/auth/issuer-allow-list.ts'
import type { HttpServer } from '../../../api/http/serve.ts'
import { createLog } from '../../../runtime/log.ts'
import { LOGIN_ISSUER, startOidcIssuer, type OidcIssuer } from '../../harness/oidc-issuer.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startInventoryServer } from '../inventory-server.ts'
import {
  bearer,
  binding,
  clientsOf,
  emptySnapshot,
  startPricingServer,
  suv,
  type PricingServer,
} from '../pricing-server.ts'

const AUDIENCE = 'urn:driveaway'
const log = createLog({ name: 'test', level: 'silent' })
const both = ['pricing:quote', 'inventory:write']
const subject = (name: string) => ({ secrets: [], subjects: [{ issuer: LOGIN_ISSUER, subject: name }] })

let issuer: OidcIssuer
let external: ExternalIssuers
let pricing: PricingServer
let inventory: HttpServer

const entryOf = (of: OidcIssuer): ExternalIssuer => ({
  ...{ issuer: of.issuer, jwksUri: of.jwksUri, audience: AUDIENCE },
  ...{ algorithms: ISSUER_ALGORITHMS, tokenType: 'at+jwt' },
})
const clients = () =>
  clientsOf(
    binding('northside', { grants: both, ...subject('robot') }),
    binding('person', { grants: both, ...subject('ada') }),
    binding('closed', { grants: both, suspended: true, ...subject('closed-robot') }),
    binding('one', subject('claimed-twice')),
    binding('other', subject('claimed-twice')),
  )

beforeAll(async () => {
  issuer = await startOidcIssuer(['robot', 'closed-robot', 'claimed-twice', 'unbound'])
  external = followExternalIssuers([entryOf(issuer)], { log })
  pricing = await startPricingServer(emptySnapshot, external)
  pricing.holder.swap({ clients: clients() })
  inventory = await startInventoryServer(pricing.holder, external)
  const token = await issuer.machineToken()
  await waitFor('the keys of the issuer', () => external.verify(token, seconds()))
})
afterAll(async () => {
  external.stop()
  await Promise.all([pricing.close(), inventory.close(), issuer.close()])
})

async function shown(response: Response): Promise<string> {
  const { code } = (await response.json()) as { code: string }
  return `${response.status} ${code}`
}
const atPricing = async (token: string, server = pricing) =>
  shown(await server.post('/v1/quote', suv({ showroomCode: 'NOT-OURS' }), bearer(token)))
const atInventory = async (token: string) => shown(await fetch(`${inventory.url}/nowhere`, { headers: bearer(token) }))

const PRICED = '403 SHOWROOM_ACCESS_DENIED'
const LET_THROUGH = '404 not_found'
const REFUSED = '401 UNAUTHENTICATED'

test('a machine’s own token is its client’s, at pricing and at inventory, twice', async () => {
  const token = await issuer.machineToken()
  for (let time = 0; time < 2; time += 1) {
    expect([await atPricing(token), await atInventory(token)]).toEqual([PRICED, LET_THROUGH])
  }
})

test('a user’s token prices, and is refused at inventory although its client has the grant and its scope names it', async () => {
  const token = await issuer.userToken({ user: 'ada' })
  expect([await atPricing(token), await atInventory(token)]).toEqual([PRICED, '403 INSUFFICIENT_SCOPE'])
})

test('a scope that names a grant of ours narrows the token to it', async () => {
  const token = await issuer.machineToken({ scope: 'inventory:write' })
  expect([await atPricing(token), await atInventory(token)]).toEqual(['403 INSUFFICIENT_SCOPE', LET_THROUGH])
})

test('a subject that no client has, and one that two clients claim, are refused', async () => {
  for (const clientId of ['unbound', 'claimed-twice']) {
    expect(await atPricing(await issuer.machineToken({ clientId }))).toBe(REFUSED)
  }
})

test('a suspended client is told so, at pricing and at inventory', async () => {
  const token = await issuer.machineToken({ clientId: 'closed-robot' })
  expect([await atPricing(token), await atInventory(token)]).toEqual(['403 USER_INACTIVE', '403 USER_INACTIVE'])
})

test('a credential that is taken away is taken from tokens that were used before', async () => {
  const token = await issuer.machineToken()
  expect(await atPricing(token)).toBe(PRICED)
  pricing.holder.swap({ clients: clientsOf(binding('northside', { grants: both })) })
  expect(await atPricing(token)).toBe(REFUSED)
  pricing.holder.swap({ clients: clients() })
})

test('a token of the same subject by an issuer that is not on the list is refused, however its issuer is written', async () => {
  for (const iss of ['https://login.test/', 'https://LOGIN.test', 'https://other.test']) {
    expect(await atPricing(await issuer.sign({ ...claims(), iss }))).toBe(REFUSED)
  }
})

const seconds = () => Math.floor(Date.now() / 1000)
const claims = () => ({
  ...{ iss: LOGIN_ISSUER, aud: AUDIENCE, sub: 'robot', client_id: 'robot' },
  ...{ jti: 'j', iat: seconds(), exp: seconds() + 300 },
})
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('a token with these claims by the issuer’s key is accepted, so that what follows is refused for what it changes', async () => {
  expect(await atPricing(await issuer.sign(claims()))).toBe(PRICED)
})

const forgeries: Record<string, () => Promise<string>> = {
  'for another audience': () => issuer.machineToken({ audience: 'urn:another' }),
  'for an audience that ours begins with': () => issuer.machineToken({ audience: 'urn:drive' }),
  'that has expired': () => issuer.sign({ ...claims(), exp: seconds() - 10 }),
  'that is not yet valid': () => issuer.sign({ ...claims(), nbf: seconds() + 60 }),
  'without an end': () => issuer.sign({ ...claims(), exp: undefined as never }),
  'without a subject': () => issuer.sign({ ...claims(), sub: undefined as never }),
  'without an audience': () => issuer.sign({ ...claims(), aud: undefined as never }),
  'of typ JWT, as ID tokens are': () => issuer.sign(claims(), { typ: 'JWT' }),
  'of algorithm none': () =>
    Promise.resolve(`${encoded({ alg: 'none', typ: 'at+jwt', kid: 'o1' })}.${encoded(claims())}.`),
  'signed by HMAC with the public key of the issuer': async () => {
    const signed = `${encoded({ alg: 'HS256', typ: 'at+jwt', kid: 'o1' })}.${encoded(claims())}`
    const pem = await exportSPKI(await issuer.publicKey())
    return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`
  },
  'by another key of the same kid': () => byAnotherKey({ kid: 'o1' }),
  'by another key that its header brings along': async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const header = { alg: 'ES256', typ: 'at+jwt', jwk: await exportJWK(publicKey), jku: 'https://evil.test/keys' }
    return new SignJWT(claims()).setProtectedHeader(header).sign(privateKey)
  },
  'of an unknown kid': () => byAnotherKey({ kid: 'o99' }),
  'whose kid is a path': () => byAnotherKey({ kid: '../../../../dev/null' }),
  'whose kid is an address': () => byAnotherKey({ kid: 'http://127.0.0.1:1/keys' }),
  'of more than 8192 characters': () => issuer.sign({ ...claims(), groups: 'g'.repeat(6200) }),
}

async function byAnotherKey(header: { kid: string }): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256')
  return new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header }).sign(privateKey)
}

for (const [what, forge] of Object.entries(forgeries)) {
  test(`a token ${what} is refused, at pricing and at inventory`, async () => {
    const token = await forge()
    expect([await atPricing(token), await atInventory(token)]).toEqual([REFUSED, REFUSED])
  })
}

test('an algorithm that the allow-list leaves out is refused', async () => {
  const only = followExternalIssuers([{ ...entryOf(issuer), algorithms: ['EdDSA'] }], { log })
  await expect(only.verify(await issuer.machineToken(), seconds())).rejects.toThrow('"alg" (Algorithm) Header')
  only.stop()
})

test('forged key ids do not become requests to the issuer', async () => {
  // Its keys are just read, so that the pause after a reading has just begun.
  const fresh = followExternalIssuers([entryOf(issuer)], { log })
  const server = await startPricingServer(emptySnapshot, fresh)
  server.holder.swap({ clients: clients() })
  const token = await issuer.machineToken()
  await waitFor('the keys of the issuer', async () => (await atPricing(token, server)) === PRICED)
  const before = issuer.keyRequests()
  for (let at = 0; at < 30; at += 1)
    expect(await atPricing(await byAnotherKey({ kid: `forged-${at}` }), server)).toBe(REFUSED)
  expect(issuer.keyRequests()).toBe(before)
  fresh.stop()
  await server.close()
})
