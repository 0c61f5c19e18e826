import type { V1Secret } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

async function signingKeys(): Promise<{ state: string; kid: string }[]> {
  const secret = await world.read<V1Secret>('Secret', 'driveaway-signing-keys')
  const { keys } = JSON.parse(Buffer.from(secret?.data?.['keys.json'] ?? '', 'base64').toString()) as SigningKeys
  return keys.map(({ state, jwk }) => ({ state, kid: String(jwk['kid']) }))
}
const northside: ShowroomClientSpec = {
  displayName: 'Invented Motors',
  showroomCodes: ['MEL01'],
  grants: ['inventory:write'],
  credentials: [{ secretRef: { name: 'northside' } }],
}

async function loadedOf(kind: string, name: string): Promise<string> {
  const conditions = (await world.read(kind, name))?.status?.conditions
  const { status, message } = conditions?.find(({ type }) => type === 'Loaded') ?? {}
  return `${status} ${message}`
}
const kidOf = async (state: string) => (await signingKeys()).find((key) => key.state === state)?.kid

test('a set is loaded when every API process serves its digest, and reconciling until then', async () => {
  await world.applySet(inventedSet('AU'))
  const none = await world.until('RateSet', 'au-fy27', ['Loaded', 'False'])
  expect(none.message).toBe('0/2')
  await world.until('RateSet', 'au-fy27', ['Reconciling', 'True'])
  const { digest } = (await world.published()).index.sets[0] ?? { digest: '' }
  processes[0].loaded.sets = { 'au-fy27': digest }
  await waitFor('1/2', async () => (await world.until('RateSet', 'au-fy27', ['Loaded', 'False'])).message === '1/2')
  processes[1].loaded.sets = { 'au-fy27': digest }
  expect((await world.until('RateSet', 'au-fy27', ['Loaded', 'True'])).message).toBe('2/2')
  const types = (await world.read('RateSet', 'au-fy27'))?.status?.conditions.map(({ type }) => type)
  expect(types).toEqual(['Ready', 'Published', 'Loaded'])
})

test('a process that loads no rates is not waited for, also while it is away; clients wait for it', async () => {
  const inventory = processes[1]
  await world.applyClient('northside', northside)
  inventory.loaded.parts = ['clients', 'keys']
  inventory.loaded.sets = {}
  await waitFor('1/1', async () => (await loadedOf('RateSet', 'au-fy27')) === 'True 1/1', { timeoutMs: 20_000 })
  await waitFor('0/2', async () => (await loadedOf('ShowroomClient', 'northside')) === 'False 0/2')
  for (const { loaded } of processes) loaded.clients = { digest: 'sha256:x', sequence: 1_000 }
  await waitFor('2/2', async () => (await loadedOf('ShowroomClient', 'northside')) === 'True 2/2', {
    timeoutMs: 20_000,
  })
  await inventory.away(async () => {
    await waitFor('1/2', async () => (await loadedOf('ShowroomClient', 'northside')) === 'False 1/2', {
      timeoutMs: 20_000,
    })
    expect(await loadedOf('RateSet', 'au-fy27')).toBe('True 1/1')
  })
  inventory.loaded.sets = processes[0].loaded.sets
  delete inventory.loaded.parts
  await waitFor('2/2 of rates', async () => (await loadedOf('RateSet', 'au-fy27')) === 'True 2/2', {
    timeoutMs: 20_000,
  })
}, 120_000)

test('a process that starts anew later is not progress of the set', async () => {
  processes[1].loaded.sets = {}
  await world.until('RateSet', 'au-fy27', ['Loaded', 'False'])
  const types = (await world.read('RateSet', 'au-fy27'))?.status?.conditions.map(({ type }) => type)
  expect(types).not.toContain('Reconciling')
}, 30_000)

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
