import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { followExternalIssuers, type ExternalIssuers } from '../../../api/auth/external-issuers.ts'
import { ISSUER_ALGORITHMS } from '../../../api/auth/issuer-allow-list.ts'
import { followIssuerKeys, type TIMING } from '../../../api/auth/issuer-keys.ts'
import { createLog } from '../../../runtime/log.ts'
import { startOidcIssuer, type OidcIssuer } from '../../harness/oidc-issuer.ts'
import { waitFor } from '../../harness/wait-for.ts'
import {
  bearer,
  binding,
  clientsOf,
  emptySnapshot,
  startPricingServer,
  suv,
  type PricingServer,
} from '../pricing-server.ts'

let issuer: OidcIssuer
let pricing: PricingServer
const stops: (() => unknown)[] = []

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

/** An issuer, and a pricing server that follows its keys at this pace. */
async function start(timing: Partial<typeof TIMING>): Promise<void> {
  await startIssuer()
  const external = await follow(timing)
  const token = await issuer.machineToken()
  await waitFor('the first keys', () => external.verify(token, Math.floor(Date.now() / 1000)))
}

async function startIssuer(): Promise<void> {
  issuer = await startOidcIssuer(['robot'])
  stops.push(() => issuer.close())
}

async function follow(timing: Partial<typeof TIMING>): Promise<ExternalIssuers> {
  const entry = { issuer: issuer.issuer, jwksUri: issuer.jwksUri, audience: 'urn:driveaway' }
  const log = createLog({ name: 'test', level: 'silent' })
  const external = followExternalIssuers([{ ...entry, algorithms: ISSUER_ALGORITHMS, tokenType: 'at+jwt' }], {
    log,
    timing,
  })
  pricing = await startPricingServer(emptySnapshot, external)
  stops.push(external.stop, () => pricing.close())
  const subjects = [{ issuer: issuer.issuer, subject: 'robot' }]
  pricing.holder.swap({ clients: clientsOf(binding('northside', { secrets: [], subjects })) })
  return external
}

async function outcome(token: string): Promise<string> {
  const response = await pricing.post('/v1/quote', suv({ showroomCode: 'NOT-OURS' }), bearer(token))
  const { code } = (await response.json()) as { code: string }
  return `${response.status} ${code}${response.headers.has('retry-after') ? ', try again' : ''}`
}
const ACCEPTED = '403 SHOWROOM_ACCESS_DENIED'
const REFUSED = '401 UNAUTHENTICATED'
const UNKNOWN = '503 not_ready, try again'

test('the first token by a new key is accepted, and those by the old one go on while it is published', async () => {
  await start({ cooldown: 0 })
  const old = await issuer.machineToken()
  expect(await outcome(old)).toBe(ACCEPTED)
  await issuer.rotate({ keepOld: true })
  const young = await issuer.machineToken()
  await waitFor('the new key', async () => (await outcome(young)) === ACCEPTED)
  expect(await outcome(old)).toBe(ACCEPTED)
})

test('a key that the issuer takes out of use is out here with the next reading, for tokens that were used before too', async () => {
  await start({ refresh: 100 })
  const old = await issuer.machineToken()
  expect(await outcome(old)).toBe(ACCEPTED)
  await issuer.rotate({ keepOld: false })
  await waitFor('the old key to be out', async () => (await outcome(old)) === REFUSED)
  expect(await outcome(await issuer.machineToken())).toBe(ACCEPTED)
})

test('after a reading, an unknown key waits for the pause to end before it causes another', async () => {
  await start({ cooldown: 8000 })
  expect(await outcome(await issuer.machineToken())).toBe(ACCEPTED)
  await issuer.rotate({ keepOld: true })
  const early = await issuer.machineToken()
  const before = issuer.keyRequests()
  expect([await outcome(early), issuer.keyRequests()]).toEqual([REFUSED, before])
  await waitFor('the pause to end', async () => (await outcome(early)) === ACCEPTED, { timeoutMs: 30_000 })
  expect(issuer.keyRequests()).toBe(before + 1)
})

test('while the issuer is away its last keys count, and a key that nobody knows is not called wrong', async () => {
  await start({ refresh: 50, cooldown: 0, retry: 200 })
  const [used, unused] = [await issuer.machineToken(), await issuer.machineToken()]
  expect(await outcome(used)).toBe(ACCEPTED)
  await issuer.goAway()
  await sleep(300)
  expect([await outcome(used), await outcome(unused)]).toEqual([ACCEPTED, ACCEPTED])
  await issuer.rotate({ keepOld: true })
  const bornAway = await issuer.sign({ ...claims(), iss: issuer.issuer })
  expect(await outcome(bornAway)).toBe(UNKNOWN)
  await issuer.comeBack()
  await waitFor('the key', async () => (await outcome(bornAway)) === ACCEPTED)
})

test('the last keys of an issuer that stays away do not count for ever', async () => {
  await start({ refresh: 50, kept: 600, retry: 100 })
  const token = await issuer.machineToken()
  await waitFor('the keys', async () => (await outcome(token)) === ACCEPTED)
  await issuer.goAway()
  await waitFor('the keys to be too old', async () => (await outcome(token)) === UNKNOWN)
  await issuer.comeBack()
  await waitFor('the keys to be read again', async () => (await outcome(token)) === ACCEPTED)
})

test('an issuer that is away at start is asked again until it is there; other tokens do not wait for it', async () => {
  await startIssuer()
  const token = await issuer.machineToken()
  await issuer.goAway()
  await follow({ retry: 100 })
  pricing.holder.swap({ clients: clientsOf(binding('dealer')) })
  expect(await outcome(await pricing.token('dealer'))).toBe(ACCEPTED)
  expect(await outcome(token)).toBe(UNKNOWN)
  await issuer.comeBack()
  pricing.holder.swap({
    clients: clientsOf(binding('northside', { subjects: [{ issuer: issuer.issuer, subject: 'robot' }] })),
  })
  await waitFor('the keys', async () => (await outcome(token)) === ACCEPTED)
})

test('readings do not pile up: many tokens at once with an unknown key cause one', async () => {
  let readings = 0
  const set = (() => Promise.reject(new Error('no key'))) as never
  const keys = followIssuerKeys({
    ...{ onFault: () => undefined, timing: { cooldown: 0 } },
    read: async () => {
      readings += 1
      await sleep(50)
      return { set, text: 'the same' }
    },
  })
  const held = await keys.current()
  await Promise.all(Array.from({ length: 20 }, () => keys.newerThan(held)))
  expect(readings).toBe(2)
  keys.stop()
})

function claims() {
  const now = Math.floor(Date.now() / 1000)
  return { aud: 'urn:driveaway', sub: 'robot', client_id: 'robot', jti: 'j', iat: now, exp: now + 300 }
}
