import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signEmergency } from '#rates/published/emergency.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { inventedSet } from '../invented-set.ts'
import { startWorld, type World } from '../world.ts'
import { applyAttested, attestationOf, digestWith, requiring, untilRefused } from './environment.ts'
import { newKey } from './keys.ts'

const staging = await newKey('staging-1', 'staging')
const glass = await newKey('emergency-1', 'any')
const { kty, crv, x, kid } = glass.trusted
const REASON = 'Incident 4711: the fee is wrong'

let world: World
beforeAll(async () => {
  world = await startWorld()
  await world.startOperator({
    ...requiring([staging]),
    PROMOTION_EMERGENCY_KEYS: JSON.stringify([{ kty, crv, x, kid }]),
  })
}, 90_000)
afterAll(() => world.stop())

const set = (fee: string, year: string) => inventedSet('AU', { fee, year })
const seconds = () => Math.floor(Date.now() / 1000)

/** An emergency attestation of a set, for an hour where nothing else is said. */
function emergencyOf(spec: ReturnType<typeof set>, { key = glass, iat = seconds() - 10, length = 3600 } = {}) {
  const { pricingCode, financialYear } = spec
  const claims = { pricingCode, financialYear, digest: digestWith(spec), reason: REASON, iat, exp: iat + length }
  return signEmergency(claims, key)
}

async function publishNormally(spec: ReturnType<typeof set>, name: string): Promise<void> {
  await applyAttested(world, spec, await attestationOf(spec, { by: staging }))
  await world.until('RateSet', name, ['Ready', 'True'])
}

type EventNote = KubernetesObject & { reason: string; type: string; note: string }

const emergencyIn = async (name: string) => (await world.read('RateSet', name))?.status?.emergency

test('an emergency publishes without staging, says so, is recorded, and ends with the attestation of staging', async () => {
  await publishNormally(set('1.00', '2026-2027'), 'au-fy27')
  const corrected = set('2.00', '2026-2027')
  const iat = seconds() - 10
  await applyAttested(world, corrected, await emergencyOf(corrected, { iat }))
  const { message } = await world.until('RateSet', 'au-fy27', ['Emergency', 'True', 'EmergencyAttestation'])
  const until = new Date((iat + 3600) * 1000).toISOString()
  expect(message).toBe(`published without staging, by key emergency-1, until ${until}: ${REASON}`)
  expect(await emergencyIn('au-fy27')).toEqual({ kid: 'emergency-1', reason: REASON, until })
  expect(await world.fee('au-fy27')).toBe('2.00')
  const record = await world.read<V1ConfigMap>('ConfigMap', 'driveaway-admitted')
  expect(record?.data?.['admitted.json']).toContain(REASON)
  await waitFor('a warning with the reason', async () => {
    const items = await world.list<EventNote>('/apis/events.k8s.io/v1/namespaces/driveaway/events')
    return items.some(
      ({ reason, type, note }) => [reason, type].join() === 'EmergencyAttestation,Warning' && note.includes(REASON),
    )
  })
  await applyAttested(world, corrected, await attestationOf(corrected, { by: staging }))
  await waitFor('the emergency to end', async () => (await emergencyIn('au-fy27')) === undefined)
  const after = await world.read<V1ConfigMap>('ConfigMap', 'driveaway-admitted')
  const { sets } = JSON.parse(after?.data?.['admitted.json'] ?? '') as { sets: Record<string, object[]> }
  expect(sets['au-fy27']?.[0]).toMatchObject({ digest: digestWith(corrected), kid: 'staging-1' })
  expect(JSON.stringify(sets['au-fy27'])).not.toContain(REASON)
})

test('what an emergency published stays after its end, and is not published once more', async () => {
  const [before, hurried] = [set('1.00', '2027-2028'), set('2.00', '2027-2028')]
  await publishNormally(before, 'au-fy28')
  const iat = seconds() - 3590
  const token = await emergencyOf(hurried, { iat })
  await applyAttested(world, hurried, token)
  await world.until('RateSet', 'au-fy28', ['Emergency', 'True'])
  const end = new Date((iat + 3600) * 1000)
  await waitFor('the end', () => Promise.resolve(Date.now() > end.getTime()), { timeoutMs: 20_000 })
  // Whatever else is published then, the content stays.
  await publishNormally(set('5.00', '2028-2029'), 'au-fy29')
  expect(await world.fee('au-fy28')).toBe('2.00')
  await world.until('RateSet', 'au-fy28', ['Ready', 'True'])
  await world.until('RateSet', 'au-fy28', ['Emergency', 'True'])
  await publishNormally(before, 'au-fy28')
  await waitFor('the content of before', async () => (await world.fee('au-fy28')) === '1.00')
  await applyAttested(world, hurried, token)
  await untilRefused(world, 'au-fy28', `the emergency attestation ended at ${end.toISOString()}`, 'CheckFailed')
  await world.until('RateSet', 'au-fy28', ['Stalled', 'True', 'CheckFailed'])
  expect(await world.fee('au-fy28')).toBe('1.00')
}, 60_000)

test('a content that follows one of an emergency waits for staging, and is no refused emergency', async () => {
  const hurried = set('1.00', '2030-2031')
  const token = await emergencyOf(hurried)
  await applyAttested(world, hurried, token)
  await world.until('RateSet', 'au-fy31', ['Ready', 'True'])
  const next = set('2.00', '2030-2031')
  await applyAttested(world, next, token)
  const message = `the attestation is of ${digestWith(hurried)}, not of ${digestWith(next)}`
  await untilRefused(world, 'au-fy31', message, 'AwaitingAttestation')
  await world.until('RateSet', 'au-fy31', ['Reconciling', 'True', 'AwaitingAttestation'])
  expect(await world.fee('au-fy31')).toBe('1.00')
})

test('an emergency by another key, for too long or of another content publishes nothing', async () => {
  const spec = set('1.00', '2029-2030')
  // Nobody waits for staging: the set is stalled, so that an alert tells within minutes.
  const refused = async (token: string, message: string, reason = 'CheckFailed') => {
    await applyAttested(world, spec, token)
    await untilRefused(world, 'au-fy30', message, reason)
  }
  await refused(
    await emergencyOf(spec, { key: staging }),
    'the emergency attestation is signed by key staging-1, which is not trusted',
  )
  await refused(
    await emergencyOf(spec, { key: { ...staging, kid: 'emergency-1' } }),
    'the signature of the emergency attestation is not by key emergency-1',
  )
  await refused(await emergencyOf(spec, { length: 73 * 3600 }), 'the emergency attestation is for more than 72 hours')
  const other = set('3.00', '2029-2030')
  const message = `the attestation is of ${digestWith(other)}, not of ${digestWith(spec)}`
  await refused(await emergencyOf(other), message)
  const normal = await attestationOf(spec, { by: glass, environment: 'staging' })
  const notTrusted = 'the attestation is signed by key emergency-1, which is not trusted; trusted: staging-1'
  await refused(normal, notTrusted, 'AwaitingAttestation')
})
