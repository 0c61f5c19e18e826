import { beforeAll, expect, test } from 'vitest'
import { binding, clientsOf } from '../pricing-server.ts'
import { contractServer, type Refusal } from './contract-server.ts'
import { suv } from './requests.ts'

// "Authentication" of the interface.
const { ask, document, server } = contractServer()
const CALLS: [string, string, unknown?][] = [
  ['POST', '/v1/quote', suv()],
  ['POST', '/v1/quote/batch', [suv()]],
  ['POST', '/v1/quote/target-drive-away', suv({ target: { driveAway: 5_000_000 } })],
  ['GET', '/v1/changes?from=2026-07-01&to=2026-07-31'],
  ['GET', '/v1/concessions?pricingCode=AU_VIC'],
  ['GET', '/v1/rules?pricingCode=AU_VIC&showroomCode=MEL01&date=2026-08-10'],
]
const codesOf = async (asking: { as?: string | null; headers?: Record<string, string> }) =>
  Promise.all(
    CALLS.map(async ([method, path, body]) => {
      const { status, body: refusal, headers } = await ask<Refusal>(method, path, { body, ...asking })
      return { status, code: refusal.code, challenged: headers.has('www-authenticate') }
    }),
  )
const all = <T>(value: T) => CALLS.map(() => value)

let expired: string
beforeAll(async () => {
  expired = await server().token()
})

test('Every endpoint except GET /spec requires the header Authorization: Bearer <ACCESS_TOKEN>', async () => {
  expect((await ask('GET', '/spec', { as: null })).status).toBe(200)
  for (const [method, path, body] of CALLS) expect((await ask(method, path, { body })).status).toBe(200)
  expect(await codesOf({ as: null })).toEqual(all({ status: 401, code: 'not-authenticated', challenged: true }))
  const v1 = Object.keys(document().paths).filter((path) => path.startsWith('/v1/'))
  for (const path of v1) {
    for (const method of Object.keys(document().paths[path]!)) {
      const answer = await ask<Refusal>(method.toUpperCase(), path, { as: null })
      expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'not-authenticated'])
    }
  }
})

test('Missing, invalid or expired credentials give 401 (code not-authenticated or UNAUTHENTICATED)', async () => {
  const sending = (authorization: string) => codesOf({ as: null, headers: { authorization } })
  const invalid = all({ status: 401, code: 'UNAUTHENTICATED', challenged: true })
  for (const credential of ['Bearer x', 'Bearer a.b.c', `Bearer ${expired.slice(0, -4)}AAAA`, 'Bearer']) {
    expect(await sending(credential)).toEqual(invalid)
  }
  for (const credential of ['', 'Basic ZGVhbGVyOng=', 'Token x']) {
    expect(await sending(credential)).toEqual(all({ status: 401, code: 'not-authenticated', challenged: true }))
  }
  server().advance(2 * 3_600_000)
  expect(await sending(`Bearer ${expired}`)).toEqual(invalid)
  server().advance(-2 * 3_600_000)
})

test('A showroomCode the client is not bound to gives 403 SHOWROOM_ACCESS_DENIED', async () => {
  const elsewhere = { showroomCode: 'ALB01' }
  for (const [method, path, body] of [
    ['POST', '/v1/quote', suv(elsewhere)],
    ['POST', '/v1/quote/batch', [suv(), suv(elsewhere)]],
    ['POST', '/v1/quote/target-drive-away', suv({ ...elsewhere, target: { driveAway: 5_000_000 } })],
    ['GET', '/v1/rules?pricingCode=AU_VIC&showroomCode=ALB01&date=2026-08-10', undefined],
  ] as const) {
    const answer = await ask<Refusal>(method, path, { body })
    expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'SHOWROOM_ACCESS_DENIED'])
  }
})

test('A revoked client gives 403 USER_INACTIVE', async () => {
  expect(await codesOf({ as: 'suspended' })).toEqual(all({ status: 403, code: 'USER_INACTIVE', challenged: false }))
})

test('a client that is revoked is shut out with the tokens that it has', async () => {
  const { clients } = server().holder.read()
  server().holder.swap({ clients: clientsOf(binding('dealer', { suspended: true })) })
  expect(await codesOf({})).toEqual(all({ status: 403, code: 'USER_INACTIVE', challenged: false }))
  server().holder.swap({ clients: clients! })
})

test('a token without the grant gives 403 INSUFFICIENT_SCOPE before its body is looked at', async () => {
  expect(await codesOf({ as: 'uploader' })).toEqual(all({ status: 403, code: 'INSUFFICIENT_SCOPE', challenged: true }))
})
