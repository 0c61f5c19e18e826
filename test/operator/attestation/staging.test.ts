import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { readAttestation, verifyAttestation } from '#rates/published/attestation.ts'
import { applyObject } from '#runtime/kube/apply.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startApiProcess } from '../api-process.ts'
import { inventedSet } from '../invented-set.ts'
import { startWorld, type RunningOperator, type World } from '../world.ts'
import { digestWith } from './environment.ts'
import { newKey, writeKey } from './keys.ts'

const SOAK_SECONDS = 6
const first = await newKey('staging-1', 'staging')
const second = await newKey('staging-2', 'staging')
const folder = temporaryDirectory('attestation-key')
const keyFile = writeKey(join(folder.path, 'key.json'), first)
const logs: string[] = []

let world: World
let processes: Awaited<ReturnType<typeof startApiProcess>>[]
let operator: RunningOperator
beforeAll(async () => {
  world = await startWorld()
  processes = [await startApiProcess(), await startApiProcess()]
  await startOperator()
}, 90_000)
beforeEach(async () => {
  for (const process of processes) await serve(process)
})
// Whatever a test did with the keys: none was logged.
afterEach(() => {
  const text = logs.map((file) => readFileSync(file, 'utf8')).join('')
  expect(text).toContain('started')
  for (const key of [first, second]) expect(text).not.toContain(key.private.d)
})
afterAll(async () => {
  await world.stop()
  for (const process of processes) await process.close()
  folder.remove()
})

async function startOperator(): Promise<void> {
  operator = await world.startOperator({
    API_HEALTH_URLS: processes.map(({ url }) => url).join(','),
    ENVIRONMENT: 'staging',
    SIGNING_ATTESTATION_KEY_FILE: keyFile,
    ATTESTATION_SOAK_SECONDS: String(SOAK_SECONDS),
  })
  logs.push(operator.logFile)
}

const statusOf = async (name: string) => (await world.read('RateSet', name))?.status

/** Makes an API process serve what is published. */
async function serve(process: (typeof processes)[number] | undefined): Promise<void> {
  const { index } = await world.published().catch(() => ({ index: undefined }))
  if (process) process.loaded.sets = Object.fromEntries((index?.sets ?? []).map(({ name, digest }) => [name, digest]))
}

const served = (name: string) =>
  waitFor(`${name} to be served by all`, async () => (await statusOf(name))?.servedSince, { timeoutMs: 20_000 })

const wordOn = (name: string) =>
  waitFor(`a word on ${name}`, async () => (await statusOf(name))?.attestation, { timeoutMs: 30_000 })

/** Has a set published, served by all and attested. */
async function attest(name: string, spec: RateSetSpec): Promise<void> {
  await world.applySet(spec)
  await world.until('RateSet', name, ['Ready', 'True'])
  for (const process of processes) await serve(process)
  await wordOn(name)
}

const isLoaded = (name: string, status: 'True' | 'False') => world.until('RateSet', name, ['Loaded', status])

test('what every process has served for the soak time is attested, over a restart and while processes come and go', async () => {
  await world.applySet(inventedSet('AU'))
  await world.until('RateSet', 'au-fy27', ['Ready', 'True'])
  await serve(processes[0])
  await new Promise((resolve) => setTimeout(resolve, 1500))
  // One of two has it: nothing soaks.
  expect((await statusOf('au-fy27'))?.servedSince).toBeUndefined()
  await serve(processes[1])
  const servedSince = await served('au-fy27')
  expect((await statusOf('au-fy27'))?.attestation).toBeUndefined()
  await operator.child.stop()
  await startOperator()
  if (processes[1]) processes[1].loaded.sets = {}
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await serve(processes[1])
  const token = await wordOn('au-fy27')
  const { claims } = readAttestation(token)
  // The moment that the soak is counted from: neither the restart nor the process that came back began it anew.
  expect((await statusOf('au-fy27'))?.servedSince).toBe(servedSince)
  expect(claims.iat * 1000).toBeGreaterThan(Date.parse(servedSince) + (SOAK_SECONDS - 1) * 1000)
  const trust = { keys: [{ ...first, key: first.publicKey }], environments: ['staging'], now: new Date() }
  const digest = digestWith(inventedSet('AU'))
  await verifyAttestation(token, { pricingCode: 'AU', financialYear: '2026-2027', digest }, trust)
}, 90_000)

test('while not every process serves it, or its newest content is refused, nothing is attested', async () => {
  const year = '2027-2028'
  const victoria = inventedSet('AU_VIC', { year })
  await world.applySet(inventedSet('AU', { year }))
  await world.applySet(victoria)
  await world.until('RateSet', 'au-vic-fy28', ['Ready', 'True'])
  for (const process of processes) await serve(process)
  await served('au-vic-fy28')
  if (processes[0]) processes[0].loaded.sets = {}
  await new Promise((resolve) => setTimeout(resolve, SOAK_SECONDS * 1000 + 1000))
  expect((await statusOf('au-vic-fy28'))?.attestation).toBeUndefined()
  await world.applySet(inventedSet('AU_VIC', { year, example: '99.00' }))
  await world.until('RateSet', 'au-vic-fy28', ['Ready', 'False', 'CheckFailed'])
  await serve(processes[0])
  await isLoaded('au-vic-fy28', 'False')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect((await statusOf('au-vic-fy28'))?.attestation).toBeUndefined()
  await world.applySet(victoria)
  const digest = digestWith(victoria, inventedSet('AU', { year }))
  expect(readAttestation(await wordOn('au-vic-fy28')).claims.digest).toBe(digest)
}, 90_000)

test('another digest begins a soak of its own, and has no word until it ends', async () => {
  const year = '2028-2029'
  const changed = inventedSet('AU', { year, fee: '11.00' })
  await attest('au-fy29', inventedSet('AU', { year }))
  await world.applySet(changed)
  await waitFor('the new digest in the status', async () => (await statusOf('au-fy29'))?.digest === digestWith(changed))
  const status = await statusOf('au-fy29')
  expect([status?.attestation, status?.servedSince]).toEqual([undefined, undefined])
}, 60_000)

test('a key that is replaced in its place signs anew what has soaked already', async () => {
  await attest('au-fy30', inventedSet('AU', { year: '2029-2030' }))
  expect(readAttestation(await wordOn('au-fy30')).kid).toBe('staging-1')
  writeKey(keyFile, second)
  try {
    // The key is read anew at every turn of a status; a change of the object is one.
    const touched = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet' }
    const metadata = { name: 'au-fy30', namespace: 'driveaway', labels: { touched: 'yes' } }
    await applyObject(world.controlPlane.kubeConfig, { ...touched, metadata }, { fieldManager: 'somebody' })
    await waitFor(
      'a word by the second key',
      async () => readAttestation(await wordOn('au-fy30')).kid === 'staging-2',
      { timeoutMs: 20_000 },
    )
  } finally {
    writeKey(keyFile, first)
  }
}, 60_000)
