import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { readRateSets } from '#rates/files/read.ts'
import type { Loaded } from '#rates/published/format.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { installKinds } from '../crds/install-kinds.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { driveaway } from './driveaway.ts'

const collection = (namespace: string) => `/apis/rates.driveaway.dev/v1alpha1/namespaces/${namespace}/ratesets`
const DIGEST = `sha256:${'a'.repeat(64)}`
const files = readRateSets(['rates/sets/au/fy27.yaml', 'rates/sets/au-vic/fy27.yaml'])
const kubeconfigBefore = process.env['KUBECONFIG']

let plane: ControlPlane
let health: Server
let loaded: Loaded

beforeAll(async () => {
  plane = await startControlPlane()
  process.env['KUBECONFIG'] = plane.kubeconfig
  await installKinds(plane.kubeConfig)
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'driveaway' } }
  await requestKube(plane.kubeConfig, { method: 'POST', path: '/api/v1/namespaces', body })
  for (const { name, spec } of files) await create('driveaway', name, spec as RateSetSpec)
  // A second release of the same cluster, which has the federal set alone.
  await create('default', files[0]!.name, files[0]!.spec as RateSetSpec)
  addContext(plane.kubeconfig, 'beside', 'default')
  loaded = {
    program: 'api',
    instance: 'one',
    formatVersions: [1],
    release: DIGEST,
    sequence: 1,
    sets: Object.fromEntries(files.map(({ name }) => [name, DIGEST])),
    clients: null,
    signingKeys: [],
    loadedAt: '2026-11-21T10:00:00.000Z',
    lastError: null,
  }
  health = createServer((_, response) => response.end(JSON.stringify(loaded))).listen(0, '127.0.0.1')
  await once(health, 'listening')
}, 300_000)

afterAll(async () => {
  process.env['KUBECONFIG'] = kubeconfigBefore
  health.close()
  await plane.stop()
})

/** Adds a context beside the first one, for the same cluster in another namespace. */
function addContext(kubeconfig: string, name: string, namespace: string): void {
  const config = parse(readFileSync(kubeconfig, 'utf8')) as { contexts: { name: string; context: object }[] }
  config.contexts.push({ name, context: { ...config.contexts[0]!.context, namespace } })
  writeFileSync(kubeconfig, stringify(config))
}

async function create(namespace: string, name: string, spec: RateSetSpec): Promise<void> {
  const object = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata: { name }, spec }
  const { kubeConfig } = plane
  await requestKube(kubeConfig, { method: 'POST', path: collection(namespace), body: object })
  const condition = (type: string, message: string) => {
    const lastTransitionTime = '2026-11-21T09:00:00Z'
    return { type, status: 'True', reason: 'Done', message, observedGeneration: 1, lastTransitionTime }
  }
  await requestKube(kubeConfig, {
    method: 'PATCH',
    path: `${collection(namespace)}/${name}/status`,
    contentType: 'application/merge-patch+json',
    body: { status: { digest: DIGEST, conditions: [condition('Ready', 'published'), condition('Loaded', '1/1')] } },
  })
}

const healthUrl = () => `http://127.0.0.1:${(health.address() as AddressInfo).port}`
const status = (...args: string[]) => driveaway(['status', '--health-url', healthUrl(), ...args])

test('status shows each rate set, each API process, what is loaded where and since when', async () => {
  const { status: code, stdout } = await status()
  expect(stdout).toMatch(/au-vic-fy27 +True +1\/1 +sha256:a{12} +2026-11-21T09:00:00Z/)
  expect(stdout).toMatch(new RegExp(`${healthUrl()} +sha256:a{12} +2 +2026-11-21T10:00:00\\.000Z`))
  expect(code).toBe(0)
})

test('status says which set is published in an emergency, and why', async () => {
  const path = `${collection('driveaway')}/au-vic-fy27/status`
  const told = (await requestKube<{ status: { conditions: object[] } }>(plane.kubeConfig, { path })).status.conditions
  const set = (conditions: object[]) =>
    requestKube(plane.kubeConfig, {
      ...{ method: 'PATCH', path, contentType: 'application/merge-patch+json', body: { status: { conditions } } },
    })
  const message = 'published without staging, by key emergency-1, until 2026-11-22T09:00:00.000Z: Incident 4711'
  await set([...told, { ...told[0], type: 'Emergency', reason: 'EmergencyAttestation', message }])
  const { stdout } = await status()
  await set(told)
  expect(stdout).toContain(`! au-vic-fy27: emergency: ${message}`)
  expect((await status()).stdout).not.toContain('emergency')
})

test('status names a process that serves something else, one that has a fault and one that does not answer', async () => {
  const before = loaded
  loaded = { ...loaded, sets: { ...loaded.sets, 'au-vic-fy27': 'sha256:other' }, lastError: 'rates: no shard' }
  const { status: code, stdout } = await status('--health-url', 'http://127.0.0.1:9')
  loaded = before
  expect(stdout).toContain(`! ${healthUrl()} does not serve the published content of au-vic-fy27 yet`)
  expect(stdout).toContain(`! ${healthUrl()}: rates: no shard`)
  expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:9 +no answer/)
  expect(code).toBe(1)
})

test('status says when no process is behind the Services of the API, and gives the same as data', async () => {
  expect((await driveaway(['status'])).stdout).toContain('No API process was found')
  const { sets, processes } = JSON.parse((await status('--output', 'json')).stdout) as Record<string, object[]>
  expect(sets).toMatchObject([{ name: 'au-fy27', ready: 'True', behind: [] }, { name: 'au-vic-fy27' }])
  expect(processes).toMatchObject([{ name: healthUrl(), loaded: { release: DIGEST } }])
})

test('diff and coverage read a cluster by its context', async () => {
  const { stdout } = await driveaway(['diff', 'context:local', 'context:local'])
  expect(stdout).toMatch(/^context:local and context:local publish the same content: sha256:/)
  const covered = await driveaway(['coverage', '--on', '2027-06-30', '--context', 'local', '--output', 'json'])
  expect(JSON.parse(covered.stdout)).toMatchObject({ codes: [{ pricingCode: 'AU' }, { pricingCode: 'AU_VIC' }] })
})

test('a notice is previewed for a client of the cluster, and says when there is none of that name', async () => {
  const credentials = [{ secretRef: { name: 'northside' } }]
  const contacts = [{ email: 'rates@northside.example', notices: true }]
  const spec = { displayName: 'Northside', showroomCodes: ['SYD01'], grants: [], credentials, contacts }
  const body = {
    apiVersion: 'rates.driveaway.dev/v1alpha1',
    kind: 'ShowroomClient',
    metadata: { name: 'northside' },
    spec,
  }
  const path = '/apis/rates.driveaway.dev/v1alpha1/namespaces/driveaway/showroomclients'
  await requestKube(plane.kubeConfig, { method: 'POST', path, body })
  const notice = (client: string) =>
    driveaway(['diff', 'rates/sets/au', 'context:local', '--notice', '--client', client, '--today', '2026-06-30'])
  expect((await notice('northside')).stdout).toMatch(
    /^To: rates@northside\.example\nSubject: Australia 2024-25 can no longer be quoted; .*; Australia: amounts for luxury car tax change from 1 July 2026\n/,
  )
  const { status: code, stderr } = await notice('southside')
  expect(code).toBe(2)
  expect(stderr).toContain('context:local has no client southside in the namespace driveaway')
})

test('of two releases of one cluster that one is meant which is in the namespace of the context, or in the one named', async () => {
  const names = ({ stdout }: { stdout: string }) =>
    (JSON.parse(stdout) as { sets: { name: string }[] }).sets.map(({ name }) => name)
  expect(names(await status('--output', 'json'))).toEqual(['au-fy27', 'au-vic-fy27'])
  expect(names(await status('--output', 'json', '--context', 'beside'))).toEqual(['au-fy27'])
  expect(names(await status('--output', 'json', '--namespace', 'default'))).toEqual(['au-fy27'])
  const covered = await driveaway(['coverage', '--on', '2027-06-30', '--context', 'beside', '--output', 'json'])
  expect((JSON.parse(covered.stdout) as { codes: object[] }).codes).toMatchObject([{ pricingCode: 'AU' }])
})

test('a namespace without rate sets is named', async () => {
  const empty = await status('--namespace', 'empty')
  expect(empty).toMatchObject({ status: 1, stderr: 'no rate set was found in the namespace empty\n' })
  addContext(plane.kubeconfig, 'astray', 'empty')
  const { status: code, stderr } = await driveaway(['diff', 'context:astray', 'rates/sets'])
  expect(code).toBe(2)
  expect(stderr).toContain('astray has no rate sets in the namespace empty')
})

test('an unknown context is a wrong call, a cluster that does not answer is not', async () => {
  const unknown = await driveaway(['status', '--context', 'nowhere'])
  expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining('its contexts: local, beside') as string })
  await plane.stopApiServer()
  try {
    expect((await driveaway(['status'])).status).toBe(3)
  } finally {
    await plane.startApiServer()
  }
})
