import { afterEach, beforeEach, expect, test } from 'vitest'
import { newJob } from '../../inventory/job.ts'
import type { LateVehicle } from '../../inventory/late-vehicle.ts'
import { LATE_PICTURES } from '../../inventory/storage.ts'
import { openStore, type InventoryStore } from '../../inventory/store.ts'
import { inParallel } from '../../runtime/in-parallel.ts'
import { connectNats } from '../../runtime/nats/access.ts'
import { asUser } from '../harness/chart-nats.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'

let opened: OpenedStore
/** Two workers, with the rights that a worker has. */
let workers: [InventoryStore, InventoryStore]
beforeEach(async () => {
  // The stream has 1.3 MB.
  opened = await openedStore({ bytes: 64 * 1024 * 1024 })
  workers = [await worker(), await worker()]
})
afterEach(async () => {
  for (const { connection } of workers) await connection.close()
  await opened.close()
})

const worker = async () =>
  openStore(await connectNats({ url: asUser(opened.nats.url, 'worker') }, { name: 'driveaway-worker' }))

interface Upload {
  sequence?: number
  characters?: number
}

const late = (client_id: string, n: number, { sequence = 1, characters = 10_000 }: Upload = {}): LateVehicle => ({
  ...{ client_id, source_id: `v${n}`, job_id: `job-${sequence}`, order: { sequence, index: n, run: 1 } },
  pictures: [{ position: 0, asset: { src: `https://away.test/${'x'.repeat(characters)}.jpg` } }],
})

const keep = (each: LateVehicle, [first] = workers) => first.latePictures.keep(each)

async function share(): Promise<number> {
  const { config, state } = await opened.store.manager.streams.info(LATE_PICTURES)
  return state.bytes / config.max_bytes
}

/** Vehicles that are uploaded at once; gives how many were kept. */
async function upload(clientId: string, count: number, options: Upload = {}): Promise<number> {
  let kept = 0
  const ids = Array.from({ length: count }, (_, n) => n)
  await inParallel(64, ids, async (n) => void ((await keep(late(clientId, n, options))) && (kept += 1)))
  return kept
}

/** Stores vehicles without late pictures, as the end of a later upload. */
async function replace(clientId: string, count: number): Promise<void> {
  const job = newJob({ id: 'job-2', clientId, clientUid: '1', createdAt: new Date(), moderateImages: true })
  const begun = await opened.store.jobs.begin(job)
  for (let n = 0; n < count; n += 1) {
    const { source_id, job_id, order } = late(clientId, n, { sequence: 2 })
    const item = { vehicle: { source_id } }
    const name = { client_id: clientId, source_id, job_id, order }
    await opened.store.vehicles.store({ ...name, source_name: 'test', stored_at: '', item })
  }
  await opened.store.jobs.complete(begun!, { counts: { accepted: count, rejected: 0 }, errors: [] }, new Date())
}

test('one client alone stops at half of the bytes, also with the largest messages at once; a second one gets in', async () => {
  const most = { characters: 65_000 }
  expect(await upload('greedy', 200, most)).toBeLessThan(200)
  expect(await share()).toBeGreaterThan(0.4)
  expect(await share()).toBeLessThanOrEqual(0.5)
  expect(await keep(late('second', 1, most))).toBe(true)
  expect(await keep(late('third', 1, most))).toBe(true)
  expect(await keep(late('greedy', 1_000, most))).toBe(false)
})

test('clients that take all they can leave each next one half of the rest', async () => {
  for (const [client, before, after] of [
    ['first', 0, 0.5],
    ['second', 0.45, 0.74],
    ['third', 0.68, 0.86],
  ] as const) {
    expect(await share()).toBeGreaterThanOrEqual(before)
    await upload(client, 200)
    expect(await share()).toBeLessThanOrEqual(after)
  }
  expect(await keep(late('fourth', 1))).toBe(true)
})

test('nobody is refused while the stream, with the message, is less than half full, however many come at once', async () => {
  const { config } = await opened.store.manager.streams.info(LATE_PICTURES)
  const { characters } = { characters: 10_000 }
  const fitting = Math.floor(config.max_bytes / 2 / (characters + 250))
  expect(await upload('honest', fitting)).toBe(fitting)
  expect(await share()).toBeGreaterThan(0.48)
})

test('messages that no vehicle waits for give way before their client is refused', async () => {
  const kept = await upload('uploader', 200)
  await replace('uploader', 200)
  const [, other] = workers
  expect(await keep(late('uploader', 500, { sequence: 3 }), [other, other])).toBe(true)
  expect(await share()).toBeLessThan(0.1)
  expect(kept).toBeGreaterThan(50)
})

test('what another worker has stored of a client since the last look counts too', async () => {
  const [one, other] = workers
  await upload('others', 200)
  // Both have looked.
  for (const [n, each] of [one, other].entries()) expect(await keep(late('uploader', n), [each, each])).toBe(true)
  for (let n = 10; n < 100; n += 1) await keep(late('uploader', n), n % 2 ? [one, other] : [other, one])
  expect(await share()).toBeGreaterThan(0.7)
  expect(await share()).toBeLessThanOrEqual(0.74)
})
