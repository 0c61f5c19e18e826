import type { V1Secret } from '@kubernetes/client-node'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SigningKeys } from '#rates/published/format.ts'
import type { ShowroomClientSpec } from '../../operator/showroom-client/object.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startApiProcess } from './api-process.ts'
import { inventedSet } from './invented-set.ts'
import { startWorld, type World } from './world.ts'

type ApiProcess = Awaited<ReturnType<typeof startApiProcess>>

let world: World
let processes: [ApiProcess, ApiProcess]

beforeAll(async () => {
  world = await startWorld()
  processes = [await startApiProcess(), await startApiProcess()]
  await world.startOperator({ API_HEALTH_URLS: processes.map(({ url }) => url).join(','), SIGNING_KEY_SECONDS: '3' })
}, 60_000)
afterAll(async () => {
  await world.stop()
  for (const process of processes) await process.close()
})
// Each test begins with two processes that load everything and serve everything that is published.
beforeEach(async () => {
  for (const process of processes) {
    delete process.loaded.parts
    await serve(process)
  }
})

/** Has a process serve what is published now. */
async function serve({ loaded }: ApiProcess): Promise<void> {
  const { index } = await world.published().catch(() => ({ index: undefined }))
  loaded.release = index?.release ?? null
  loaded.sets = Object.fromEntries((index?.sets ?? []).map(({ name, digest }) => [name, digest]))
  loaded.clients = { digest: 'sha256:x', sequence: Number.MAX_SAFE_INTEGER }
}

async function signingKeys(): Promise<{ state: string; kid: string }[]> {
  const secret = await world.read<V1Secret>('Secret', 'driveaway-signing-keys')
  const { keys } = JSON.parse(Buffer.from(secret?.data?.['keys.json'] ?? '', 'base64').toString()) as SigningKeys
  return keys.map(({ state, jwk }) => ({ state, kid: String(jwk['kid']) }))
}

const client = (name: string, grants: ShowroomClientSpec['grants']): ShowroomClientSpec => ({
  ...{ displayName: 'Invented Motors', showroomCodes: ['MEL01'], grants, credentials: [{ secretRef: { name } }] },
})

const typesOf = async (name: string) =>
  (await world.read('RateSet', name))?.status?.conditions.map(({ type, status }) => `${type}=${status}`)
const versionOf = async (kind: string, name: string) => (await world.read(kind, name))?.metadata?.resourceVersion
const kidOf = async (state: string) => (await signingKeys()).find((key) => key.state === state)?.kid

test('a set is loaded when every API process serves its digest, and reconciling until then', async () => {
  await world.applySet(inventedSet('AU', { year: '2024-2025' }))
  const none = await world.until('RateSet', 'au-fy25', ['Loaded', 'False', 'Loading'])
  expect(none.message).toBe('0/2')
  expect(await typesOf('au-fy25')).toEqual(['Ready=True', 'Published=True', 'Loaded=False', 'Reconciling=True'])
  const before = await versionOf('RateSet', 'au-fy25')
  await serve(processes[0])
  // Progress is no transition: with 100 processes it would be 100 writes of every status.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(await versionOf('RateSet', 'au-fy25')).toBe(before)
  await serve(processes[1])
  expect((await world.until('RateSet', 'au-fy25', ['Loaded', 'True'])).message).toBe('2/2')
  expect(await typesOf('au-fy25')).toEqual(['Ready=True', 'Published=True', 'Loaded=True'])
}, 60_000)

test('a process that loads no rates is not waited for with rates; with clients it is', async () => {
  const [pricing, inventory] = processes
  inventory.loaded.parts = ['clients', 'keys']
  inventory.loaded.sets = {}
  inventory.loaded.release = null
  inventory.loaded.clients = null
  await world.applyClient('northside', client('northside', ['inventory:write']))
  const waiting = await world.until('ShowroomClient', 'northside', ['Loaded', 'False', 'Loading'])
  // Both are counted; whether the first had answered when this was written is a matter of milliseconds.
  expect(waiting.message).toMatch(/^[01]\/2$/)
  await world.applySet(inventedSet('AU', { year: '2025-2026' }))
  await waitFor('the release', async () => (await world.published()).sets.get('au-fy26'))
  await serve(pricing)
  expect((await world.until('RateSet', 'au-fy26', ['Loaded', 'True'])).message).toBe('1/1')
  inventory.loaded.clients = { digest: 'sha256:x', sequence: Number.MAX_SAFE_INTEGER }
  expect((await world.until('ShowroomClient', 'northside', ['Loaded', 'True'])).message).toBe('2/2')
}, 60_000)

test('once True, Loaded stays True for its generation, whatever becomes of the processes', async () => {
  await world.applySet(inventedSet('AU', { year: '2026-2027' }))
  await world.applyClient('eastside', client('eastside', ['pricing:quote']))
  await waitFor('the release', async () => (await world.published()).sets.get('au-fy27'))
  for (const process of processes) await serve(process)
  await world.until('RateSet', 'au-fy27', ['Loaded', 'True'])
  await world.until('ShowroomClient', 'eastside', ['Loaded', 'True'])
  const before = [await versionOf('RateSet', 'au-fy27'), await versionOf('ShowroomClient', 'eastside')]
  // One that starts anew holds nothing at first; that the operator has seen it shows in a set that is new.
  Object.assign(processes[1].loaded, { release: null, sets: {}, clients: null })
  await world.applySet(inventedSet('AU', { year: '2027-2028' }))
  await waitFor('the release', async () => (await world.published()).sets.get('au-fy28'))
  await serve(processes[0])
  expect((await world.until('RateSet', 'au-fy28', ['Loaded', 'False'])).message).toMatch(/^[01]\/2$/)
  await processes[1].away(() => new Promise((resolve) => setTimeout(resolve, 4000)))
  expect([await versionOf('RateSet', 'au-fy27'), await versionOf('ShowroomClient', 'eastside')]).toEqual(before)
}, 60_000)

test('Loaded is about this generation: Held while an earlier one is served, and False while nothing is', async () => {
  const refused = inventedSet('AU', { year: '2028-2029', fee: '10.00', example: '11.00' })
  await world.applySet(refused)
  const first = await world.until('RateSet', 'au-fy29', ['Loaded', 'False', 'NotPublished'])
  expect(first.message).toBe('nothing of this object is published')
  await world.applySet(inventedSet('AU', { year: '2028-2029', fee: '10.00' }))
  await waitFor('the release', async () => (await world.published()).sets.get('au-fy29'))
  for (const process of processes) await serve(process)
  await world.until('RateSet', 'au-fy29', ['Loaded', 'True', 'Loaded'])
  await world.applySet({ ...refused, timeZone: 'Australia/Perth' })
  await world.until('RateSet', 'au-fy29', ['Loaded', 'False', 'Held'])
  expect(await typesOf('au-fy29')).toEqual(['Ready=False', 'Published=True', 'Loaded=False', 'Stalled=True'])
  await world.applySet(inventedSet('AU', { year: '2028-2029', fee: '10.00' }))
  await world.until('RateSet', 'au-fy29', ['Loaded', 'True', 'Loaded'])
}, 60_000)

test('a set that only waits for its import is Reconciling, not Stalled', async () => {
  await world.applySet(inventedSet('AU_VIC', { year: '2029-2030' }))
  await world.until('RateSet', 'au-vic-fy30', ['Ready', 'False', 'ImportMissing'])
  expect(await typesOf('au-vic-fy30')).toEqual([
    ...['Ready=False', 'Published=False', 'Loaded=False', 'Reconciling=True'],
  ])
  await world.applySet(inventedSet('AU', { year: '2029-2030' }))
  await world.until('RateSet', 'au-vic-fy30', ['Ready', 'True'])
}, 60_000)

test('a signing key signs only when every API process holds it, and turns to previous later', async () => {
  const first = await waitFor('a next key', () => kidOf('next'))
  processes[0].loaded.signingKeys = [first]
  expect(await kidOf('current')).toBeUndefined()
  processes[1].loaded.signingKeys = [first]
  await waitFor('the first key to be current', async () => (await kidOf('current')) === first, { timeoutMs: 20_000 })
  const second = await waitFor('another next key', () => kidOf('next'))
  await new Promise((resolve) => setTimeout(resolve, 4000))
  expect(await kidOf('current')).toBe(first)
  for (const process of processes) process.loaded.signingKeys = [first, second]
  await waitFor('the second key to be current', async () => (await kidOf('current')) === second, { timeoutMs: 20_000 })
  expect(await kidOf('previous')).toBe(first)
}, 60_000)
