import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inventedSet } from '../invented-set.ts'
import { startWorld, type World } from '../world.ts'
import { applyAttested, attestationOf, digestWith, requiring, untilRefused } from './environment.ts'
import { newKey } from './keys.ts'

const staging = await newKey('staging-1', 'staging')
const dev = await newKey('dev-1', 'dev')
const retired = await newKey('retired', 'staging', '2026-01-31')
const federal = inventedSet('AU', { fee: '1.00' })
const before = inventedSet('AU_VIC', { fee: '10.00' })
const after = inventedSet('AU_VIC', { fee: '11.00' })
const wanted = digestWith(after, federal)
const withFederal = `(with au-fy27 at ${digestWith(federal).slice(7, 19)})`

let world: World
beforeAll(async () => {
  world = await startWorld()
  await world.startOperator(requiring([staging, dev, retired]))
  await applyAttested(world, federal, await attestationOf(federal, { by: staging }))
  await applyAttested(world, before, await attestationOf(before, { by: staging, federal }))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True'])
}, 90_000)
afterAll(() => world.stop())

/** Every refusal leaves what was there. */
afterEach(async () => {
  expect(await world.fee('au-vic-fy27')).toBe('10.00')
  await world.until('RateSet', 'au-vic-fy27', ['Published', 'True', 'LastGood'])
})

const refusal = (message: string) => untilRefused(world, 'au-vic-fy27', `${message} ${withFederal}`)

test('a figure edited by hand without an attestation is refused, its examples having passed', async () => {
  await applyAttested(world, after)
  await refusal(`there is no annotation rates.driveaway.dev/attestation for ${wanted}`)
  await world.until('RateSet', 'au-vic-fy27', ['Reconciling', 'True', 'AwaitingAttestation'])
  expect((await world.read('RateSet', 'au-vic-fy27'))?.status?.examples).toMatchObject({ passed: 1, total: 1 })
})

test('a text that is no attestation is refused', async () => {
  await applyAttested(world, after, 'approved by the rates team')
  await refusal('this is not an attestation: expected a compact JWS as staging writes it')
})

test('an old attestation replayed for a newer digest is refused', async () => {
  await applyAttested(world, after, await attestationOf(before, { by: staging, federal }))
  await refusal(`the attestation is of ${digestWith(before, federal)}, not of ${wanted}`)
})

test('an attestation that a key signed after its last day is refused', async () => {
  await applyAttested(world, after, await attestationOf(after, { by: retired, federal, iat: 1_800_000_000 - 86_400 }))
  await refusal('the attestation was signed at 2027-01-14T08:00:00.000Z, but key retired signs until 2026-01-31 only')
})

test('an attestation by a key that nobody trusts is refused', async () => {
  const stranger = await newKey('stranger', 'staging')
  await applyAttested(world, after, await attestationOf(after, { by: stranger, federal }))
  await refusal('the attestation is signed by key stranger, which is not trusted; trusted: staging-1, dev-1, retired')
})

test('a forged attestation, by another key under a trusted name, is refused', async () => {
  const forger = { ...(await newKey('forger', 'staging')), kid: 'staging-1' }
  await applyAttested(world, after, await attestationOf(after, { by: forger, federal }))
  await refusal('the signature of the attestation is not by key staging-1')
})

test('an attestation whose digest was changed after it was signed is refused', async () => {
  const [header, payload = '', signature] = (await attestationOf(before, { by: staging, federal })).split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const changed = Buffer.from(JSON.stringify({ ...claims, digest: wanted })).toString('base64url')
  await applyAttested(world, after, `${header}.${changed}.${signature}`)
  await refusal('the signature of the attestation is not by key staging-1')
})

test('an attestation of another environment is refused, although its key is known', async () => {
  await applyAttested(world, after, await attestationOf(after, { by: dev, federal }))
  await refusal('the attestation is of environment dev; this environment accepts attestations of staging')
})

test('an attestation by a key that speaks for another environment than its own is refused', async () => {
  await applyAttested(world, after, await attestationOf(after, { by: dev, federal, environment: 'staging' }))
  await refusal('the attestation is of environment staging, but key dev-1 may speak for dev only')
})

test('the attestation of another state, and of another year, is refused', async () => {
  const neighbour = inventedSet('AU_NSW', { fee: '11.00' })
  await applyAttested(world, after, await attestationOf(neighbour, { by: staging, federal }))
  await refusal('the attestation is of AU_NSW 2026-2027, not of AU_VIC 2026-2027')
  const financialYear = '2025-2026'
  await applyAttested(world, after, await attestationOf(after, { by: staging, federal, financialYear }))
  await refusal('the attestation is of AU_VIC 2025-2026, not of AU_VIC 2026-2027')
})

test('an attestation from a clock that is more than a minute ahead is refused', async () => {
  const iat = Math.floor(Date.now() / 1000) + 300
  await applyAttested(world, after, await attestationOf(after, { by: staging, federal, iat }))
  const issued = new Date(iat * 1000).toISOString()
  const ready = await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False', 'AwaitingAttestation'])
  await expect
    .poll(async () => (await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False'])).message, {
      timeout: 10_000,
    })
    .toMatch(new RegExp(`^the attestation was issued at ${issued}, but the time here is .*Z \\(with`))
  expect(ready.reason).toBe('AwaitingAttestation')
})

test('a set that fails its examples says so before anything is said of attestations', async () => {
  const wrong = inventedSet('AU_VIC', { fee: '11.00', example: '12.00' })
  await applyAttested(world, wrong, await attestationOf(wrong, { by: staging, federal }))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False', 'CheckFailed'])
})

test('a new set that nobody attested is not published at all', async () => {
  const first = inventedSet('AU_TAS', { fee: '5.00' })
  await applyAttested(world, first)
  const digest = digestWith(first, federal)
  const message = `there is no annotation rates.driveaway.dev/attestation for ${digest} ${withFederal}`
  await untilRefused(world, 'au-tas-fy27', message)
  await world.until('RateSet', 'au-tas-fy27', ['Published', 'False', 'NotPublished'])
  expect((await world.published()).sets.has('au-tas-fy27')).toBe(false)
  await applyAttested(world, inventedSet('AU_VIC', { fee: '11.00' }))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False', 'AwaitingAttestation'])
})
