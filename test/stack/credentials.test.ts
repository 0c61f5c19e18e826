import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Program } from '../../tools/stack/programs.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { LOGIN_ISSUER, startOidcIssuer, type OidcIssuer } from '../harness/oidc-issuer.ts'
import { waitFor } from '../harness/wait-for.ts'
import { quoteOf, tokenOf } from './quotes.ts'
import { applyText } from './rate-sets.ts'
import { startStack, type Stack } from './stack.ts'

let stack: Stack
let issuer: OidcIssuer
let nats: TestNats
let inventoryUrl: string

beforeAll(async () => {
  issuer = await startOidcIssuer(['robot', 'other-robot'])
  nats = await startTestNats()
  stack = await startStack(withInventory)
})
afterAll(async () => {
  await stack?.stop()
  await Promise.all([issuer.close(), nats.close()])
})

/** Operator, pricing and inventory, each API with the second issuer on its allow-list. */
function withInventory(plan: Program[]): Program[] {
  const entry = { issuer: issuer.issuer, audience: 'urn:driveaway', jwksUri: issuer.jwksUri }
  const list = { EXTERNAL_ISSUERS: JSON.stringify([entry]), EXTERNAL_ISSUERS_LOOPBACK_HTTP: 'true' }
  return plan
    .filter(({ name }) => name !== 'worker')
    .map((program) => {
      if (program.entry !== 'api/main.ts') return program
      inventoryUrl = `http://127.0.0.1:${program.env['INVENTORY_PORT']}`
      return { ...program, env: { ...program.env, ...list, NATS_URL: nats.url } }
    })
}

const client = (name: string, credential: string) => `
apiVersion: rates.driveaway.dev/v1alpha1
kind: ShowroomClient
metadata: { name: ${name} }
spec:
  displayName: ${name}
  showroomCodes: [MEL01]
  grants: [pricing:quote, inventory:write]
  credentials: [${credential}]
`
const isLoaded = (kind: string, name: string) =>
  stack.kubectl(['wait', kind, name, '--for=condition=Loaded', '--timeout=60s'])

async function atBoth(token: string): Promise<string[]> {
  const { status, body } = await quoteOf(stack, token)
  const headers = { authorization: `Bearer ${token}` }
  const job = await fetch(`${inventoryUrl}/jobs/${randomUUID()}`, { headers })
  const { code } = (await job.json()) as { code: string }
  return [`${status} ${body.code ?? 'quote'}`, `${job.status} ${code}`]
}
const BOTH = ['200 quote', '404 not_found']

test('a process without rates is not counted for a rate set, and is counted for a client', async () => {
  await isLoaded('rateset', 'au-vic-fy27')
  const message = ['-o', 'jsonpath={.status.conditions[?(@.type=="Loaded")].message}']
  expect(await stack.kubectl(['get', 'rateset', 'au-vic-fy27', ...message])).toBe('1/1')
  await isLoaded('showroomclient', 'dealer')
  expect(await stack.kubectl(['get', 'showroomclient', 'dealer', ...message])).toBe('2/2')
})

test('a client secret: a token of the pricing API is good at inventory, as far as its grants go', async () => {
  expect(await atBoth(await tokenOf(stack, 'dealer'))).toEqual(['200 quote', '403 INSUFFICIENT_SCOPE'])
  expect(await atBoth(await tokenOf(stack, 'uploader'))).toEqual(['403 INSUFFICIENT_SCOPE', '404 not_found'])
})

test('public keys: the client signs an assertion with the key that stays its own', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const { x, y } = await exportJWK(publicKey)
  const key = `{ kty: EC, crv: P-256, kid: k1, x: "${x}", "y": "${y}" }`
  await applyText(stack, client('keyed', `{ jwks: { keys: [${key}] } }`))
  await isLoaded('showroomclient', 'keyed')
  expect(await atBoth(await tokenByAssertion('keyed', privateKey))).toEqual(BOTH)
})

async function tokenByAssertion(clientId: string, key: CryptoKey): Promise<string> {
  const assertion = new SignJWT({ jti: randomUUID() }).setProtectedHeader({ alg: 'ES256', kid: 'k1' })
  assertion.setIssuer(clientId).setSubject(clientId).setAudience(stack.pricingUrl)
  const form = {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertion.setIssuedAt().setExpirationTime('60s').sign(key),
  }
  const response = await fetch(`${stack.pricingUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  return ((await response.json()) as { access_token: string }).access_token
}

test('a subject: the client calls with tokens of the second issuer, a user of it does not upload', async () => {
  const subject = (name: string) => `{ subject: { issuer: "${LOGIN_ISSUER}", subject: ${name} } }`
  await applyText(stack, client('subject', `${subject('robot')}, ${subject('ada')}`))
  await isLoaded('showroomclient', 'subject')
  const token = await issuer.machineToken()
  expect(await atBoth(token)).toEqual(BOTH)
  expect(await atBoth(await issuer.userToken({ user: 'ada' }))).toEqual(['200 quote', '403 INSUFFICIENT_SCOPE'])
  const unbound = ['401 UNAUTHENTICATED', '401 UNAUTHENTICATED']
  expect(await atBoth(await issuer.machineToken({ clientId: 'other-robot' }))).toEqual(unbound)
  await stack.kubectl(['delete', 'showroomclient', 'subject'])
  await waitFor('its tokens to be refused', async () => String(await atBoth(token)) === String(unbound))
})
