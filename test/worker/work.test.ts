import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newJob } from '../../inventory/job.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { batch, item } from '../inventory/uploads.ts'
import { startWorking, visibleModeration, type Working } from './working.ts'

let opened: OpenedStore
let workers: Working[]
let isSlow: boolean
beforeEach(async () => {
  opened = await openedStore()
  workers = []
  isSlow = true
})
afterEach(async () => {
  isSlow = false
  await Promise.all(workers.map((worker) => worker.stop(0)))
  await opened.close()
})

/** Pictures that take for ever while they are slow. */
const slowly = visibleModeration(async () => {
  while (isSlow) await sleep(20)
  return { accepted: true }
})

function start(waiting = 256): Working {
  const worker = startWorking(() => opened.store, slowly, { waiting })
  workers.push(worker)
  return worker
}

async function upload(clientId: string, pictures: number): Promise<string> {
  const id = randomUUIDv7()
  const assets = Array.from({ length: pictures }, (_, index) => ({ src: `https://img.test/${index}.jpg` }))
  await opened.store.jobs.create(
    newJob({ id, clientId, clientUid: clientId, createdAt: new Date(), moderateImages: true }),
  )
  const text = JSON.stringify(batch([item(`${clientId}-${id}`, { assets })]))
  await opened.store.queue.publish(id, text, { clientId, clientUid: clientId, replays: 0 })
  return id
}

const isCompleted = async (id: string) => (await opened.store.jobs.read(id))?.record.status === 'completed'

const uploads = (clientId: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => upload(clientId, 20)))

const inQueue = async () => (await opened.store.manager.streams.info('BATCHES')).state.messages

test('one client with 500 slow pictures does not hold up another client’s batch', async () => {
  start()
  const slow = await uploads('slow', 25)
  const quick = await upload('quick', 0)
  await waitFor('the other client’s batch', () => isCompleted(quick), { timeoutMs: 5_000 })
  expect(await Promise.all(slow.map(isCompleted))).toEqual(slow.map(() => false))
  isSlow = false
  for (const id of slow) await waitFor('the slow batches', () => isCompleted(id), { timeoutMs: 30_000 })
})

test('nor when its batches are more than a worker looks at together', async () => {
  start(8)
  await uploads('slow', 24)
  const quick = await upload('quick', 0)
  await waitFor('the other client’s batch', () => isCompleted(quick), { timeoutMs: 30_000 })
  expect(await workers[0]!.registry.metrics()).toMatch(/driveaway_batches_parked_total [1-9]/)
})

test('a worker that stops finishes what it can, gives the rest back, and another goes on at once', async () => {
  const first = start()
  const ids = await uploads('slow', 12)
  await waitFor('work', async () => (await opened.store.jobs.read(ids[0]!))?.record.attempts === 1)
  const [stopped] = [first.stop(300), sleep(100).then(() => start())]
  await stopped
  expect(await Promise.all(ids.map(isCompleted))).toEqual(ids.map(() => false))
  isSlow = false
  // Sooner than the server would give up waiting for a worker that was killed.
  for (const id of ids) await waitFor('all batches', () => isCompleted(id), { timeoutMs: 10_000 })
  expect((await opened.store.jobs.read(ids[0]!))?.record.attempts).toBe(1)
  await waitFor('an empty queue', async () => (await inQueue()) === 0)
})

test('a batch that takes longer than the server waits is still one worker’s alone', async () => {
  start()
  start()
  const id = await upload('slow', 1)
  await sleep(20_000)
  expect((await opened.store.jobs.read(id))?.record).toMatchObject({ status: 'processing', attempts: 1 })
  isSlow = false
  await waitFor('the batch', () => isCompleted(id))
})

test('a consumer that somebody deletes is made anew, and the work goes on', async () => {
  isSlow = false
  start()
  const first = await upload('quick', 0)
  await waitFor('the first batch', () => isCompleted(first))
  await opened.store.manager.consumers.delete('BATCHES', 'worker')
  const second = await upload('quick', 0)
  await waitFor('the second batch', () => isCompleted(second), { timeoutMs: 30_000 })
})
