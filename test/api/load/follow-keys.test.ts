import type { JWK } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { isNotFound } from '#runtime/kube/api-error.ts'
import { applyObject, deleteObject } from '#runtime/kube/apply.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { createLog } from '#runtime/log.ts'
import { SIGNING_KEYS_SECRET } from '#rates/published/format.ts'
import { encodePublicKeys, PUBLIC_KEYS, type SigningKey } from '#rates/published/public-keys.ts'
import { createHolder, type Holder } from '../../../api/load/held.ts'
import { startKubernetesSource } from '../../../api/load/kubernetes-source.ts'
import type { Source } from '../../../api/load/source.ts'
import { loadedReport, readiness } from '../../../api/load/report.ts'
import { apply as applyFiles } from '../../../tools/stack/apply.ts'
import { root } from '../../../tools/stack/settings.ts'
import { ensureBinary } from '../../../tools/binaries/ensure.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { newSigningKey } from '../pricing-server.ts'

const namespace = 'driveaway'
const log = createLog({ name: 'test', level: 'silent' })
const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { name: SIGNING_KEYS_SECRET, namespace } }
const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: PUBLIC_KEYS, namespace } }
/** Parts of a process that holds keys alone. */
const KEYS = ['keys'] as const

let plane: ControlPlane
let jwks: Record<'a' | 'b', JWK>
let pricing: Holder
let inventory: Holder
let sources: Source[]
beforeAll(async () => {
  plane = await startControlPlane()
  const kubectl = { binary: await ensureBinary('kubectl'), kubeconfig: plane.kubeconfig }
  for (const file of ['namespaces.yaml', 'rbac']) await applyFiles(kubectl, `${root}/tools/stack/${file}`)
  jwks = { a: await newSigningKey('a'), b: await newSigningKey('b') }
}, 120_000)
afterAll(() => plane?.stop())
beforeEach(() => {
  const start = (user: string, holder: Holder, signs: boolean) => {
    const kube = kubeOf(plane.kubeConfigFor(user))
    return startKubernetesSource({ ...{ kube, namespace, holder, log, signs }, parts: KEYS })
  }
  ;[pricing, inventory] = [createHolder(), createHolder()]
  sources = [start('driveaway-api', pricing, true), start('driveaway-inventory', inventory, false)]
})
afterEach(async () => {
  await Promise.all(sources.map((source) => source.stop()))
  for (const reference of [SECRET, CONFIG_MAP])
    await deleteObject(plane.kubeConfig, reference).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
})

const key = (state: SigningKey['state'], kid: 'a' | 'b'): SigningKey => {
  return { state, since: '2026-11-21T00:00:00Z', jwk: { ...jwks[kid] } }
}
const put = (object: object) => applyObject(plane.kubeConfig, object, { fieldManager: 'test', force: true })
const putSecret = (...keys: SigningKey[]) =>
  put({ ...SECRET, data: { 'keys.json': Buffer.from(JSON.stringify({ keys })).toString('base64') } })
const publish = (...keys: SigningKey[]) => put({ ...CONFIG_MAP, data: { 'keys.json': encodePublicKeys(keys) } })
const kids = (holder: Holder) => loadedReport(holder, { program: 'api', instance: 'test' }).signingKeys.sort()
const holds = (holder: Holder, ...wanted: string[]) =>
  waitFor(
    `keys ${wanted.join()}`,
    () => kids(holder).join() === wanted.join() || Promise.reject(new Error(kids(holder).join())),
  )
const isReady = (holder: Holder) => readiness(holder, KEYS).ok

test('a process that only verifies reads the public keys and no Secret', async () => {
  await putSecret(key('current', 'a'))
  await publish(key('current', 'a'))
  await holds(inventory, 'a')
  expect(isReady(inventory)).toBe(true)
  expect(inventory.read().keys?.signer).toBeUndefined()
  await waitFor('the signer', () => pricing.read().keys?.signer?.kid === 'a')
})

test('an operator of the version before publishes no public keys: the Secret alone is enough to sign', async () => {
  await putSecret(key('current', 'a'), key('next', 'b'))
  await holds(pricing, 'a', 'b')
  expect(isReady(pricing)).toBe(true)
  expect(isReady(inventory)).toBe(false)
})

test('a lost Secret and a ring without a current key displace nothing until the new ring is complete', async () => {
  await putSecret(key('current', 'a'))
  await publish(key('current', 'a'))
  await Promise.all([holds(pricing, 'a'), holds(inventory, 'a')])
  await deleteObject(plane.kubeConfig, SECRET)
  await waitFor(
    'the loss to be said',
    () => readiness(pricing, KEYS).body && pricing.faults().keys?.includes('deleted'),
  )
  await putSecret(key('next', 'b'))
  await publish(key('current', 'a'), key('next', 'b'))
  // Held, so that the operator may let it sign.
  await Promise.all([holds(pricing, 'a', 'b'), holds(inventory, 'a', 'b')])
  expect([isReady(pricing), pricing.read().keys?.signer?.kid, isReady(inventory)]).toEqual([true, 'a', true])
  await putSecret(key('current', 'b'))
  await publish(key('previous', 'a'), key('current', 'b'))
  await waitFor('the new signer', () => pricing.read().keys?.signer?.kid === 'b')
  expect(kids(pricing)).toEqual(['a', 'b'])
  expect(isReady(pricing)).toBe(true)
})

test('the keys are taken away by publishing a complete ring without them', async () => {
  await putSecret(key('current', 'a'))
  await publish(key('current', 'a'))
  await holds(pricing, 'a')
  await publish(key('current', 'b'))
  await putSecret(key('current', 'b'))
  await Promise.all([holds(pricing, 'b'), holds(inventory, 'b')])
})

test('public keys with a private one among them are refused, and so is a Secret that is no JSON, without its text', async () => {
  await putSecret(key('current', 'a'))
  await publish(key('current', 'a'))
  await Promise.all([holds(pricing, 'a'), holds(inventory, 'a')])
  await put({ ...CONFIG_MAP, data: { 'keys.json': JSON.stringify({ formatVersion: 1, keys: [key('current', 'b')] }) } })
  await waitFor('the refusal', () => inventory.faults().keys?.includes('a private key is published'))
  await put({ ...SECRET, data: { 'keys.json': Buffer.from('{"d":"private').toString('base64') } })
  await waitFor('the other', () => pricing.faults().keys === 'driveaway-signing-keys: keys.json is not JSON')
  expect([kids(pricing), kids(inventory)]).toEqual([['a'], ['a']])
})

test('it says when it last heard from the server, and is silent about it before it did', async () => {
  const [source] = sources as [Source, Source]
  await putSecret(key('current', 'a'))
  await waitFor('contact', () => source.lastContact?.())
  const contact = source.lastContact?.() as Date
  expect(Date.now() - contact.getTime()).toBeLessThan(60_000)
  const report = { program: 'api', instance: 'test' }
  expect(loadedReport(pricing, { ...report, lastContact: () => contact }).lastContact).toBe(contact.toISOString())
  expect(loadedReport(pricing, { ...report, lastContact: () => undefined }).lastContact).toBeNull()
  expect(loadedReport(pricing, report)).not.toHaveProperty('lastContact')
})
