import { setTimeout as sleep } from 'node:timers/promises'
import type { KubernetesObject } from '@kubernetes/client-node'
import { afterEach, expect, test } from 'vitest'
import { inParallel } from '#runtime/in-parallel.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { startWatch } from '#runtime/kube/watch.ts'
import { createLog } from '#runtime/log.ts'
import type { ShowroomClientSpec } from '../../operator/showroom-client/object.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startApiProcess } from './api-process.ts'
import { inventedSet } from './invented-set.ts'
import { startWorld, type Conditioned, type World } from './world.ts'

const CLIENTS = '/apis/rates.driveaway.dev/v1alpha1/namespaces/driveaway/showroomclients'
type ApiProcess = Awaited<ReturnType<typeof startApiProcess>>

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function newWorld(): Promise<World> {
  const world = await startWorld()
  ends.push(() => world.stop())
  return world
}

const spec = (name: string): ShowroomClientSpec => ({
  ...{ displayName: 'Invented Motors', showroomCodes: ['MEL01'], grants: ['pricing:quote'] },
  credentials: [{ secretRef: { name } }],
})

async function createClients(world: World, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, nth) => `c${String(nth).padStart(4, '0')}`)
  await inParallel(12, names, (name) => world.applyClient(name, spec(name)))
  return names
}

/** All clients as the API server tells of them. */
async function followClients(world: World) {
  const log = createLog({ name: 'test', level: 'silent' })
  const kube = kubeOf(world.controlPlane.kubeConfig)
  const watch = startWatch<Conditioned>({ kube, log, path: CLIENTS, onChange: () => undefined })
  ends.push(() => watch.stop())
  await watch.synced
  return (is: (client: Conditioned) => boolean) => [...watch.objects.values()].filter(is).length
}

const isLoaded = ({ status }: Conditioned) =>
  status?.conditions.some(({ type, status: is }) => type === 'Loaded' && is === 'True') ?? false

async function serve(world: World, processes: readonly ApiProcess[]): Promise<void> {
  const { index } = await world.published()
  const sets = Object.fromEntries(index.sets.map(({ name, digest }) => [name, digest]))
  const clients = { digest: 'sha256:x', sequence: Number.MAX_SAFE_INTEGER }
  for (const { loaded } of processes) Object.assign(loaded, { release: index.release, sets, clients })
}

test('a restart of 100 API processes changes no status', async () => {
  const world = await newWorld()
  const processes = await Promise.all(Array.from({ length: 100 }, () => startApiProcess()))
  for (const process of processes) ends.push(() => process.close())
  await createClients(world, 100)
  await world.applySet(inventedSet('AU'))
  const count = await followClients(world)
  await world.startOperator({ API_HEALTH_URLS: processes.map(({ url }) => url).join(',') })
  await waitFor('the release', async () => (await world.published()).sets.has('au-fy27'))
  await serve(world, processes)
  await waitFor('every client to be loaded', () => count(isLoaded) === 100, { timeoutMs: 60_000 })
  await world.until('RateSet', 'au-fy27', ['Loaded', 'True'])
  const versions = async () => {
    const objects = await Promise.all(
      [CLIENTS, CLIENTS.replace('showroomclients', 'ratesets')].map((path) => world.list<KubernetesObject>(path)),
    )
    return objects
      .flat()
      .flatMap(({ metadata }) => (metadata?.name === 'au-fy26' ? [] : `${metadata?.name} ${metadata?.resourceVersion}`))
  }
  const before = await versions()
  // What none of them serves has the operator ask all of them four times a second.
  await world.applySet(inventedSet('AU', { year: '2025-2026' }))
  await world.until('RateSet', 'au-fy26', ['Loaded', 'False', 'Loading'])
  for (let first = 0; first < processes.length; first += 25) {
    await inParallel(25, processes.slice(first, first + 25), async (process) => {
      Object.assign(process.loaded, { release: null, sets: {}, clients: null })
      await process.away(() => sleep(1500))
    })
  }
  await serve(world, processes)
  await world.until('RateSet', 'au-fy26', ['Loaded', 'True'])
  expect(await versions()).toEqual(before)
}, 240_000)

test('a suspension is published before the statuses that wait are written', async () => {
  const world = await newWorld()
  const names = await createClients(world, 1000)
  const count = await followClients(world)
  await world.startOperator({ STATUS_WRITES_PER_SECOND: '50', LEASE_SECONDS: '15' })
  const hasStatus = ({ status }: Conditioned) => status !== undefined
  await waitFor('statuses to be in flight', () => count(hasStatus) >= 20, { timeoutMs: 120_000, everyMs: 5 })
  const last = names.at(-1) ?? ''
  await world.applyClient(last, { ...spec(last), suspended: true })
  await waitFor('the suspension', async () => (await world.publishedClients()).clients.get(last)?.suspended, {
    timeoutMs: 60_000,
  })
  expect(count(hasStatus)).toBeLessThan(names.length)
  await world.until('ShowroomClient', last, ['Ready', 'True', 'Suspended'])
  expect(count(hasStatus)).toBeLessThan(names.length)
}, 240_000)

test('a suspension is published before the Secrets of other clients are made', async () => {
  const world = await newWorld()
  const names = await createClients(world, 1000)
  const kube = kubeOf(world.controlPlane.kubeConfig)
  const log = createLog({ name: 'test', level: 'silent' })
  const path = '/api/v1/namespaces/driveaway-clients/secrets'
  const secrets = startWatch<KubernetesObject>({ kube, log, path, onChange: () => undefined })
  ends.push(() => secrets.stop())
  await secrets.synced
  await world.startOperator({ LEASE_SECONDS: '15' })
  await waitFor('Secrets to be made', () => secrets.objects.size >= 20, { timeoutMs: 120_000, everyMs: 5 })
  const [first = ''] = names
  await world.applyClient(first, { ...spec(first), suspended: true })
  await waitFor('the suspension', async () => (await world.publishedClients()).clients.get(first)?.suspended, {
    timeoutMs: 60_000,
  })
  expect(secrets.objects.size).toBeLessThan(names.length)
  // The others follow, and nothing was said of them meanwhile.
  await waitFor('every client', async () => (await world.publishedClients()).clients.size === names.length, {
    timeoutMs: 120_000,
  })
  const refused = (await world.list<Conditioned>(CLIENTS)).flatMap(({ status }) =>
    (status?.conditions ?? []).filter(({ reason }) => reason === 'CheckFailed'),
  )
  expect(refused).toEqual([])
}, 240_000)
