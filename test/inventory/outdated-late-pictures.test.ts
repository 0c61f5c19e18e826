import type { NextMsgRequest, SeqMsgRequest } from '@nats-io/jetstream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newJob } from '../../inventory/job.ts'
import type { LateVehicle } from '../../inventory/late-vehicle.ts'
import { LATE_PICTURES, latePicturesSubject, MOST_LATE_OF_ONE } from '../../inventory/storage.ts'
import { openStore, type InventoryStore } from '../../inventory/store.ts'
import type { VehicleRecord } from '../../inventory/vehicles.ts'
import { inParallel } from '../../runtime/in-parallel.ts'
import { connectNats } from '../../runtime/nats/access.ts'
import { asUser, type NatsUser } from '../harness/chart-nats.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'

let opened: OpenedStore
let store: InventoryStore
beforeEach(async () => {
  opened = await openedStore()
  // With the rights that the worker has.
  store = await openStore(await as('worker', 'driveaway-worker'))
})
afterEach(async () => {
  await store.connection.close()
  await opened.close()
})

const as = (user: NatsUser, name: string) => connectNats({ url: asUser(opened.nats.url, user) }, { name })

const uploader = 'uploader'
const late = (upload: number, n: number): LateVehicle => ({
  ...{
    client_id: uploader,
    source_id: `v${n}`,
    job_id: `job-${upload}`,
    order: { sequence: upload, index: n, run: 1 },
  },
  pictures: [{ position: 0, asset: { src: 'https://away.test/1.jpg' } }],
})

/** Uploads so many vehicles whose pictures are late; gives how many were kept. */
async function upload(number: number, count: number, from = 0): Promise<number> {
  let kept = 0
  const ids = Array.from({ length: count }, (_, n) => from + n)
  await inParallel(64, ids, async (n) => void ((await store.latePictures.keep(late(number, n))) && (kept += 1)))
  return kept
}

/** Stores such vehicles, as the end of an attempt. */
async function end(number: number, count: number, from = 0): Promise<void> {
  const ids = Array.from({ length: count }, (_, n) => from + n)
  await inParallel(64, ids, async (n) => {
    const { client_id, source_id, job_id, order } = late(number, n)
    const item = { vehicle: { source_id }, assets: [] }
    const record: VehicleRecord = {
      client_id,
      source_id,
      job_id,
      order,
      source_name: 'test',
      stored_at: '',
      item,
      assets_left_out: [0],
    }
    await store.vehicles.store(record)
  })
  const job = newJob({
    id: `job-${number}`,
    clientId: uploader,
    clientUid: '1',
    createdAt: new Date(),
    moderateImages: true,
  })
  const begun = await store.jobs.begin(job)
  await store.jobs.complete(begun!, { counts: { accepted: count, rejected: 0 }, errors: [] }, new Date())
}

/** The orders of the late pictures in the stream that are asked for. */
async function waitingOf(isAskedFor: (order: VehicleRecord['order']) => boolean): Promise<VehicleRecord['order'][]> {
  const orders: VehicleRecord['order'][] = []
  for (let seq = 1; ;) {
    const query: SeqMsgRequest & NextMsgRequest = { seq, next_by_subj: 'late-pictures.>' }
    const message = await store.manager.streams.getMessage(LATE_PICTURES, query)
    if (!message) return orders.filter(isAskedFor)
    seq = message.seq + 1
    orders.push(message.json<LateVehicle>().order)
  }
}

const waiting = async () => (await store.manager.streams.info(LATE_PICTURES)).state.messages

test('a vehicle counts once, however often it was uploaded while its source is away', async () => {
  for (const number of [1, 2, 3, 4, 5, 6]) {
    expect(await upload(number, 700)).toBe(700)
    await end(number, 700)
  }
  // At least the newest of each, and no more than there is room for.
  expect(await waiting()).toBeLessThanOrEqual(MOST_LATE_OF_ONE)
  expect((await waitingOf((order) => order.sequence === 6)).length).toBe(700)
})

test('the pictures of a stored vehicle wait until another upload of it is stored, in a full client too', async () => {
  expect(await upload(1, MOST_LATE_OF_ONE)).toBe(MOST_LATE_OF_ONE)
  await end(1, MOST_LATE_OF_ONE)
  // An attempt that never stores its vehicles.
  expect(await upload(2, 100)).toBe(100)
  expect((await waitingOf(({ sequence }) => sequence === 1)).length).toBe(MOST_LATE_OF_ONE)
  // An upload without late pictures, which is stored: the pictures of those before give way to those of the next.
  await end(3, 100)
  expect(await upload(4, 100)).toBe(100)
  expect(await upload(5, 100, MOST_LATE_OF_ONE)).toBe(0)
  expect(await waiting()).toBe(MOST_LATE_OF_ONE)
})

test('the pictures of a stored vehicle outlast those of later uploads that are not stored', async () => {
  expect(await upload(1, 700)).toBe(700)
  await end(1, 700)
  expect(await upload(2, 700)).toBe(700)
  expect(await upload(3, 700)).toBe(700)
  expect((await waitingOf(({ sequence }) => sequence === 1)).length).toBe(700)
})

test('where an older upload of a vehicle is kept after a newer one, both give way to what is stored', async () => {
  expect(await upload(1, MOST_LATE_OF_ONE)).toBe(MOST_LATE_OF_ONE)
  await end(1, MOST_LATE_OF_ONE)
  for (const n of [1, 2, 3]) await store.vehicles.remove(uploader, `v${n}`)
  // The client is looked through; three give way, and two batches of one vehicle take the place of two of them.
  for (const number of [4, 3]) expect(await upload(number, 1)).toBe(1)
  expect(await upload(5, 1, 1)).toBe(1)
  await end(4, 1)
  await end(6, 1)
  expect(await upload(7, 1)).toBe(1)
  const left = await waitingOf(({ index }) => index === 0)
  expect(left.map(({ sequence }) => sequence)).toEqual([7])
})

test('late pictures of vehicles that were removed, or uploaded since without any, give way', async () => {
  expect(await upload(1, MOST_LATE_OF_ONE)).toBe(MOST_LATE_OF_ONE)
  await end(1, MOST_LATE_OF_ONE)
  for (const n of [0, 1, 2]) await store.vehicles.remove(uploader, `v${n}`)
  await end(2, 2, 3)
  expect(await upload(3, 10, MOST_LATE_OF_ONE)).toBe(5)
})

test('vehicles that are late already need no room when they are uploaded again, and others get none of theirs', async () => {
  for (const number of [1, 2, 3, 4]) {
    expect(await upload(number, MOST_LATE_OF_ONE)).toBe(MOST_LATE_OF_ONE)
    expect(await upload(10, 5, MOST_LATE_OF_ONE)).toBe(0)
    await end(number, MOST_LATE_OF_ONE)
  }
  expect((await waitingOf(({ sequence }) => sequence === 4)).length).toBe(MOST_LATE_OF_ONE)
  for (const n of [0, 1, 2]) await store.vehicles.remove(uploader, `v${n}`)
  // A worker that has not looked yet, while the vehicles have second places.
  const other = await openStore(await as('worker', 'driveaway-worker'))
  const kept = await Promise.all([0, 1, 2, 3, 4].map((n) => other.latePictures.keep(late(11, MOST_LATE_OF_ONE + n))))
  await other.connection.close()
  expect(kept.filter(Boolean).length).toBe(3)
  expect((await waitingOf(({ sequence }) => sequence === 4)).length).toBe(MOST_LATE_OF_ONE - 3)
}, 60_000)

test('vehicles that were judged since their client was looked through leave their places to others', async () => {
  expect(await upload(1, MOST_LATE_OF_ONE)).toBe(MOST_LATE_OF_ONE)
  expect(await upload(2, 1)).toBe(1)
  await opened.store.manager.streams.purge(LATE_PICTURES, { filter: latePicturesSubject(uploader), keep: 500 })
  expect(await upload(3, 1_400, MOST_LATE_OF_ONE)).toBe(1_400)
  // At once, then one after the other: a place that another may need is refused, and one that is left is found.
  await upload(3, 120, 5_000)
  expect(await waiting()).toBeLessThanOrEqual(MOST_LATE_OF_ONE)
  for (let n = 0; n < 120; n += 1) await store.latePictures.keep(late(3, 6_000 + n))
  expect(await waiting()).toBe(MOST_LATE_OF_ONE)
  // Vehicles that were judged have no place any more.
  expect(await upload(3, 20, 100)).toBe(0)
  expect(await waiting()).toBe(MOST_LATE_OF_ONE)
})

test('while second places are in use, a place among the first is for no further vehicle', async () => {
  expect(await upload(1, MOST_LATE_OF_ONE)).toBe(MOST_LATE_OF_ONE)
  expect(await upload(2, 100)).toBe(100)
  // A worker has tried the first uploads, which the second have replaced.
  await opened.store.manager.streams.purge(LATE_PICTURES, { filter: latePicturesSubject(uploader), keep: 1_950 })
  expect(await upload(3, 10, MOST_LATE_OF_ONE)).toBe(0)
  expect(await waiting()).toBe(MOST_LATE_OF_ONE + 50)
})

test('a place is free again when the pictures of its vehicle could not be stored', async () => {
  expect(await upload(1, MOST_LATE_OF_ONE)).toBe(MOST_LATE_OF_ONE)
  await end(1, MOST_LATE_OF_ONE)
  expect(await upload(2, 1)).toBe(1)
  await store.vehicles.remove(uploader, 'v1')
  const other = await openStore(await as('worker', 'driveaway-worker'))
  const { streams } = opened.store.manager
  await streams.update(LATE_PICTURES, { max_msg_size: 10 })
  await expect(other.latePictures.keep(late(3, MOST_LATE_OF_ONE))).rejects.toThrow('size')
  await streams.update(LATE_PICTURES, { max_msg_size: -1 })
  expect(await other.latePictures.keep(late(3, MOST_LATE_OF_ONE + 1))).toBe(true)
  expect(await other.latePictures.keep(late(3, MOST_LATE_OF_ONE + 2))).toBe(false)
  await other.connection.close()
})

test('what its attempt has not stored yet stays', async () => {
  expect(await upload(1, MOST_LATE_OF_ONE)).toBe(MOST_LATE_OF_ONE)
  expect(await upload(2, 10, MOST_LATE_OF_ONE)).toBe(0)
  expect(await waiting()).toBe(MOST_LATE_OF_ONE)
})

test('other clients are left alone', async () => {
  const other = { ...late(1, 1), client_id: 'other' }
  await store.latePictures.keep(other)
  await store.latePictures.keep(other)
  for (const number of [1, 2, 3]) {
    expect(await upload(number, 700)).toBe(700)
    await end(number, 700)
  }
  const { subjects } = (await store.manager.streams.info(LATE_PICTURES, { subjects_filter: '>' })).state
  expect(Object.values(subjects!).sort((one, two) => one - two)[0]).toBe(2)
})
