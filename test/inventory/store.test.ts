import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { KV } from '@nats-io/kv'
import { newJob } from '../../inventory/job.ts'
import { jobsIn } from '../../inventory/jobs.ts'
import { BUCKETS } from '../../inventory/storage.ts'
import { isConflict } from '../../runtime/nats/jetstream-error.ts'
import { openJetStream } from '../../runtime/nats/jetstream.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'
import { storedVehicle } from './stored-vehicle.ts'

let opened: OpenedStore
beforeAll(async () => void (opened = await openedStore()))
afterAll(() => opened.close())

const job = (id: string) =>
  newJob({ id, clientId: 'uploader', clientUid: 'u1', createdAt: new Date(), moderateImages: false })
const result = { counts: { accepted: 1, rejected: 0 }, errors: [] }

test('uploads of one vehicle end with the latest, in whatever order they are stored', async () => {
  const { vehicles } = opened.store
  const orders = [
    { sequence: 2, index: 1 },
    { sequence: 1, index: 9 },
    { sequence: 2, index: 0 },
    { sequence: 2, run: 0 },
  ]
  await Promise.all(orders.map((order) => vehicles.store(storedVehicle('v1', order))))
  expect((await vehicles.read('uploader', 'v1'))?.order).toEqual({ sequence: 2, index: 1, run: 1 })
  expect(await vehicles.store(storedVehicle('v1', { sequence: 2, index: 1 }))).toBe('superseded')
  expect(await vehicles.store(storedVehicle('v1', { sequence: 2, index: 1, run: 2 }))).toBe('stored')
})

test('forty writers of one vehicle at once end with the latest', async () => {
  const { vehicles } = opened.store
  const sequences = Array.from({ length: 40 }, (_, index) => ((index * 17) % 40) + 1)
  await Promise.all(sequences.map((sequence) => vehicles.store(storedVehicle('v2', { sequence }))))
  expect((await vehicles.read('uploader', 'v2'))?.order.sequence).toBe(40)
})

test('a vehicle of one client is never another’s, whatever characters its id has', async () => {
  const { vehicles } = opened.store
  for (const id of ['a.b', '*', '>', ' ', 'ü/…', '$KV.vehicles', 'x'.repeat(256)]) {
    await vehicles.store(storedVehicle(id, {}))
    expect((await vehicles.read('uploader', id))?.source_id).toBe(id)
    expect(await vehicles.read('other', id)).toBeUndefined()
  }
})

test('a job is completed once, by the attempt that was begun last', async () => {
  const { jobs } = opened.store
  await jobs.create(job('j1'))
  const stalled = await jobs.begin(job('j1'))
  const current = await jobs.begin(job('j1'))
  expect(current?.record.attempts).toBe(2)
  expect(await jobs.complete(stalled!, result, new Date())).toBe(false)
  expect(await jobs.complete(current!, result, new Date())).toBe(true)
  expect(await jobs.begin(job('j1'))).toBeUndefined()
  await jobs.create(job('j1'))
  expect((await jobs.read('uploader', 'j1'))?.record).toMatchObject({
    status: 'completed',
    counts: { accepted: 1, rejected: 0 },
  })
})

test('work begins at once on a batch whose job is stored meanwhile, and not on one that another worker has begun', async () => {
  const { bucket } = await openJetStream(opened.connection)
  const real = await bucket(BUCKETS.jobs)
  /** The jobs as a worker has them whose look at the bucket is overtaken, once. */
  const overtakenBy = (overtake: () => Promise<unknown>) => {
    let once: (() => Promise<unknown>) | undefined = overtake
    const get = async (id: string) => {
      const found = await real.get(id)
      const now = once
      once = undefined
      await now?.()
      return found
    }
    return jobsIn({ get, put: real.put.bind(real) } as unknown as KV)
  }
  const { jobs } = opened.store
  const stored = await overtakenBy(() => jobs.create(job('j5'))).begin(job('j5'))
  expect(stored?.record).toMatchObject({ id: 'j5', attempts: 1 })
  const begun = overtakenBy(() => jobs.begin(job('j6'))).begin(job('j6'))
  await expect(begun).rejects.toSatisfy(isConflict)
})

test('work on a batch whose job has expired makes the job anew', async () => {
  const { jobs } = opened.store
  expect((await jobs.begin(job('j2')))?.record).toMatchObject({ id: 'j2', status: 'processing', attempts: 1 })
})

test('a job of an earlier version is read and completed where it is, and no second one is made', async () => {
  const { jobs } = opened.store
  const { bucket } = await openJetStream(opened.connection)
  const real = await bucket(BUCKETS.jobs)
  await real.put('j7', JSON.stringify(job('j7')))
  const begun = await jobs.begin(job('j7'))
  expect(await jobs.complete(begun!, result, new Date())).toBe(true)
  expect((await real.get('j7'))?.json()).toMatchObject({ status: 'completed', attempts: 1 })
  expect((await jobs.read('uploader', 'j7'))?.record.status).toBe('completed')
  expect(await jobs.begin(job('j7'))).toBeUndefined()
})

test('of a job that workers of two versions have, the record on which more was done is read', async () => {
  const { jobs } = opened.store
  const { bucket } = await openJetStream(opened.connection)
  const real = await bucket(BUCKETS.jobs)
  await jobs.create(job('j8'))
  await real.put('j8', JSON.stringify({ ...job('j8'), attempts: 1 }))
  expect((await jobs.read('uploader', 'j8'))?.record.attempts).toBe(1)
  await real.put('j8', JSON.stringify({ ...job('j8'), ...result, status: 'completed' }))
  expect(await jobs.begin(job('j8'))).toBeUndefined()
  await real.put('j9', JSON.stringify(job('j9')))
  await jobs.create(job('j9'))
  expect((await jobs.begin(job('j9')))?.record.attempts).toBe(1)
})

test('the vehicles of a client end by age, and can be uploaded again', async () => {
  const ended = await openedStore({ vehiclesKeptDays: 2 / 86_400 })
  onTestFinished(() => ended.close())
  const { vehicles, manager } = ended.store
  await vehicles.store(storedVehicle('old', {}))
  await waitFor('the end of the vehicle', async () => (await vehicles.read('uploader', 'old')) === undefined)
  expect((await vehicles.list('uploader')).records).toEqual([])
  // For those who follow the vehicles.
  const [subject] = Object.keys((await manager.streams.info('KV_vehicles', { subjects_filter: '>' })).state.subjects!)
  const mark = await manager.streams.getMessage('KV_vehicles', { last_by_subj: subject! })
  expect(mark?.header.get('Nats-Marker-Reason')).toBe('MaxAge')
  expect(await vehicles.store(storedVehicle('old', {}))).toBe('stored')
})

test('a batch is stored once for its job, is found while it waits, and is delivered with its place', async () => {
  const { queue } = opened.store
  for (const text of ['{"first":1}', '{"second":1}'])
    await queue.publish('j3', text, { clientId: 'uploader', clientUid: 'u1', replays: 0 })
  expect(await queue.waiting('uploader', 'j3')).toMatchObject({ clientId: 'uploader', clientUid: 'u1', replays: 0 })
  expect(await queue.waiting('uploader', 'j4')).toBeUndefined()
  expect(await queue.waiting('somebody-else', 'j3')).toBeUndefined()
  const { state } = await opened.store.manager.streams.info('BATCHES')
  expect(state.messages).toBe(1)
  const { clientQueues } = opened.store
  const [[token, count] = ['', 0]] = await clientQueues.list()
  const delivered = await clientQueues.next(token)
  expect(delivered).toMatchObject({ place: state.last_seq, waiting: 0, isAgain: false })
  expect(delivered!.batch).toMatchObject({ jobId: 'j3', text: '{"first":1}', sequence: state.last_seq })
  expect([count, await clientQueues.next(token), await clientQueues.left(token)]).toEqual([1, undefined, 1])
})

test('the first claim of an idempotency key holds, for its client alone', async () => {
  const { idempotency } = opened.store
  const first = { hash: 'a', jobId: 'j5' }
  const claims = [first, { hash: 'b', jobId: 'j6' }].map((claim) => idempotency.claim('uploader', 'key', claim))
  const [one, two] = await Promise.all(claims)
  expect(one).toEqual(two)
  expect(await idempotency.claim('other', 'key', { hash: 'c', jobId: 'j7' })).toMatchObject({ hash: 'c', jobId: 'j7' })
})

test('a claim whose batch was refused is removed without a trace, unless another request has confirmed it', async () => {
  const { idempotency, manager } = opened.store
  const refused = await idempotency.claim('uploader', 'refused', { hash: 'a', jobId: 'j10' })
  const count = async () => (await manager.streams.info('KV_idempotency')).state.messages
  const before = await count()
  await idempotency.release('uploader', 'refused', refused)
  const next = await idempotency.claim('uploader', 'refused', { hash: 'b', jobId: 'j11' })
  expect(next).toMatchObject({ hash: 'b', jobId: 'j11' })
  await idempotency.confirm('uploader', 'refused', next)
  await idempotency.release('uploader', 'refused', next)
  const other = { hash: 'c', jobId: 'j12' }
  const confirmed = await idempotency.claim('uploader', 'refused', other)
  expect(confirmed).toMatchObject({ hash: 'b', jobId: 'j11' })
  await idempotency.release('uploader', 'refused', confirmed)
  await waitFor('the end of the mark', async () => (await count()) === before - 1)
  // Removed between the other request's look and its confirmation.
  await idempotency.confirm('uploader', 'refused', confirmed)
  expect(await idempotency.claim('uploader', 'refused', other)).toMatchObject({ jobId: 'j11' })
})

test('dead letters are kept once, with their reason, and listed in the order in which they were accepted', async () => {
  const { deadLetters } = opened.store
  const letter = (jobId: string, sequence: number) => ({
    ...{ jobId, sequence, clientId: 'uploader', clientUid: 'u1', replays: 0 },
    text: `{"of":"${jobId}"}`,
    acceptedAt: new Date(),
  })
  expect(await deadLetters.list()).toEqual([])
  for (const each of [letter('d2', 20), letter('d1', 10), letter('d1', 10)])
    await deadLetters.keep(each, 'broke\nbadly é')
  const list = await deadLetters.list()
  expect(list.map(({ jobId, sequence, reason }) => [jobId, sequence, reason])).toEqual([
    ['d1', 10, 'broke badly'],
    ['d2', 20, 'broke badly'],
  ])
  expect(await deadLetters.text(list[1]!)).toBe('{"of":"d2"}')
  await deadLetters.remove(list[0]!)
  expect((await deadLetters.list()).map(({ jobId }) => jobId)).toEqual(['d2'])
})
