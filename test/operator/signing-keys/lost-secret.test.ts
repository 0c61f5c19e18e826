import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { V1ConfigMap, V1Secret } from '@kubernetes/client-node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { SIGNING_KEYS_SECRET, type SigningKeys } from '#rates/published/format.ts'
import { PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import { applyObject, deleteObject } from '#runtime/kube/apply.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { createLog } from '#runtime/log.ts'
import { createHolder, type Holder } from '../../../api/load/held.ts'
import { startKubernetesSource } from '../../../api/load/kubernetes-source.ts'
import { loadedReport, readiness } from '../../../api/load/report.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startWorld, type RunningOperator, type World } from '../world.ts'

const KEYS = ['keys'] as const
const namespace = 'driveaway'
const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { name: SIGNING_KEYS_SECRET, namespace } }
const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: PUBLIC_KEYS, namespace } }

let world: World
let operator: RunningOperator
let pricing: Process
let inventory: Process
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())
beforeEach(async () => {
  pricing = await startProcess('driveaway-api', true)
  inventory = await startProcess('driveaway-inventory', false)
  operator = await world.startOperator({ API_HEALTH_URLS: `${pricing.url},${inventory.url}` })
  await waitFor('a first key that signs', () => pricing.isReady() && inventory.isReady(), { timeoutMs: 30_000 })
}, 60_000)
afterEach(async () => {
  await operator.child.stop()
  await Promise.all([pricing.stop(), inventory.stop()])
  for (const reference of [SECRET, CONFIG_MAP]) await deleteObject(world.controlPlane.kubeConfig, reference)
})

type Process = Awaited<ReturnType<typeof startProcess>>

/** The keys of an API process, as it loads them and answers at `/loaded`; it notes whether it was ever not ready again. */
async function startProcess(user: string, signs: boolean) {
  const holder: Holder = createHolder()
  const kube = kubeOf(world.controlPlane.kubeConfigFor(user))
  const log = createLog({ name: 'test', level: 'silent' })
  const source = startKubernetesSource({ ...{ kube, namespace, holder, log, signs }, parts: KEYS })
  const report = { program: 'api', instance: user, parts: KEYS, lastContact: source.lastContact }
  const server = createServer((_request, response) => response.end(JSON.stringify(loadedReport(holder, report))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const isReady = () => readiness(holder, KEYS).ok
  let wasReady = false
  let unready = 0
  const looking = setInterval(() => {
    wasReady ||= isReady()
    if (wasReady && !isReady()) unready += 1
  }, 2)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isReady,
    unready: () => unready,
    signer: () => holder.read().keys?.signer?.kid,
    verifies: (kid = '') => holder.read().keys?.verifiers.has(kid) ?? false,
    stop: async () => {
      clearInterval(looking)
      await source.stop()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function published(): Promise<SigningKeys['keys']> {
  const found = await world.read<V1ConfigMap>('ConfigMap', PUBLIC_KEYS)
  return (JSON.parse(found?.data?.['keys.json'] ?? '{"keys":[]}') as SigningKeys).keys
}

/** Waits until another key than `old` signs, and old tokens are still verified everywhere. */
async function replaced(old: string): Promise<void> {
  await waitFor('another signer', () => pricing.signer() !== undefined && pricing.signer() !== old, {
    timeoutMs: 30_000,
  })
  await waitFor('the new key at the other', () => inventory.verifies(pricing.signer()))
  expect([pricing.verifies(old), inventory.verifies(old)]).toEqual([true, true])
  expect([pricing.unready(), inventory.unready()]).toEqual([0, 0])
}

test('a lost Secret voids no token and takes no process down, and a new key takes over', async () => {
  const old = pricing.signer() ?? ''
  await deleteObject(world.controlPlane.kubeConfig, SECRET)
  await replaced(old)
  const states = (await published()).map(({ state, jwk }) => `${state} ${jwk['kid'] === old ? 'old' : 'new'}`)
  expect(states).toContain('previous old')
  // One that starts now has no memory, and verifies the tokens of the lost key all the same.
  const late = await startProcess('driveaway-api', true)
  await waitFor('the late one', () => late.isReady() && late.verifies(old))
  await late.stop()
}, 60_000)

test('a Secret that somebody broke is as good as lost', async () => {
  const old = pricing.signer() ?? ''
  const broken = { ...SECRET, data: { 'keys.json': Buffer.from('{"keys":').toString('base64') } }
  await applyObject(world.controlPlane.kubeConfig, broken, { fieldManager: 'test', force: true })
  await replaced(old)
}, 60_000)

const asTest = { fieldManager: 'test', force: true }

test('public keys that somebody made immutable are replaced, also those of a lost Secret', async () => {
  const old = pricing.signer() ?? ''
  await applyObject(world.controlPlane.kubeConfig, { ...CONFIG_MAP, immutable: true } as never, asTest)
  await deleteObject(world.controlPlane.kubeConfig, SECRET)
  await replaced(old)
  // An API process that starts now has no memory, and verifies the tokens of the lost key all the same.
  const late = await startProcess('driveaway-api', true)
  await waitFor('the late one', () => late.isReady() && late.verifies(old))
  await late.stop()
}, 60_000)

test('a broken Secret that somebody made immutable is replaced', async () => {
  const old = pricing.signer() ?? ''
  const data = { 'keys.json': Buffer.from('{"keys":').toString('base64') }
  await applyObject(world.controlPlane.kubeConfig, { ...SECRET, data, immutable: true } as never, asTest)
  await replaced(old)
}, 60_000)

test('a Secret of another type is replaced', async () => {
  const old = pricing.signer() ?? ''
  await operator.child.stop()
  await deleteObject(world.controlPlane.kubeConfig, SECRET)
  await applyObject(world.controlPlane.kubeConfig, { ...SECRET, type: 'example.org/other' } as never, asTest)
  operator = await world.startOperator({ API_HEALTH_URLS: `${pricing.url},${inventory.url}` })
  await replaced(old)
}, 60_000)

/** The present keys, with the public half of the current one under the private half of the other. */
async function garbled(): Promise<{ 'keys.json': string }> {
  const secret = await world.read<V1Secret>('Secret', SIGNING_KEYS_SECRET)
  const { keys } = JSON.parse(Buffer.from(secret?.data?.['keys.json'] ?? '', 'base64').toString()) as SigningKeys
  const d = keys.find(({ state }) => state === 'next')?.jwk['d']
  const mixed = keys.map((key) => (key.state === 'current' ? { ...key, jwk: { ...key.jwk, d } } : key))
  return { 'keys.json': Buffer.from(JSON.stringify({ keys: mixed })).toString('base64') }
}

test('a key that somebody garbled signs nothing, is told of, and is replaced while its tokens stay valid', async () => {
  const old = pricing.signer() ?? ''
  await waitFor('a current and a next key', async () => (await published()).length === 2)
  await applyObject(
    world.controlPlane.kubeConfig,
    { ...SECRET, data: await garbled() },
    { fieldManager: 'test', force: true },
  )
  await replaced(old)
  await waitFor('the event', async () => {
    type Event = V1Secret & { reason: string; type: string; note: string; regarding: { name: string } }
    const events = await world.list<Event>('/apis/events.k8s.io/v1/namespaces/driveaway/events')
    const told = { reason: 'SigningKeyRefused', type: 'Warning', regarding: { name: SIGNING_KEYS_SECRET } }
    expect(events).toContainEqual(
      expect.objectContaining({ ...told, regarding: expect.objectContaining(told.regarding) }),
    )
    return true
  })
  const metrics = await (await fetch(`${operator.healthUrl}/metrics`)).text()
  expect(metrics).toMatch(/^driveaway_signing_keys_refused_total [1-9]/m)
}, 60_000)

test('lost or forged public keys are published again from the Secret, and hold nothing private', async () => {
  await waitFor('a current and a next key', async () => (await published()).length === 2)
  const before = await published()
  for (const { jwk } of before) expect(Object.keys(jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  await deleteObject(world.controlPlane.kubeConfig, CONFIG_MAP)
  await waitFor('them to be back', async () => (await published()).length === before.length)
  expect(await published()).toEqual(before)
  const damaged = { ...CONFIG_MAP, data: { 'keys.json': '{}' } }
  await applyObject(world.controlPlane.kubeConfig, damaged, { fieldManager: 'test', force: true })
  await waitFor('them to be whole', async () => (await published()).length === before.length)
  expect([pricing.unready(), inventory.unready()]).toEqual([0, 0])
})

test('both objects lost is how all keys are revoked: nothing of the old ones is published again', async () => {
  const old = pricing.signer() ?? ''
  await operator.child.stop()
  for (const reference of [SECRET, CONFIG_MAP]) await deleteObject(world.controlPlane.kubeConfig, reference)
  operator = await world.startOperator({ API_HEALTH_URLS: `${pricing.url},${inventory.url}` })
  await waitFor('another signer', () => pricing.signer() !== old, { timeoutMs: 30_000 })
  await waitFor('the old key to be gone', () => !pricing.verifies(old) && !inventory.verifies(old))
  expect((await published()).some(({ jwk }) => jwk['kid'] === old)).toBe(false)
  expect((await world.read<V1Secret>('Secret', SIGNING_KEYS_SECRET))?.type).toBe('Opaque')
}, 60_000)
