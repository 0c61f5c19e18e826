import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeOrigin } from '../../inventory/batch-queue.ts'
import { newJob } from '../../inventory/job.ts'
import { consumerOf } from '../../inventory/storage.ts'
import { inParallel } from '../../runtime/in-parallel.ts'
import { keyOf } from '../../runtime/nats/key.ts'
import type { TurnLimits } from '../../worker/batches/client-turns.ts'
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

function start(limits: Partial<TurnLimits> = {}): Working {
  const worker = startWorking(() => opened.store, slowly, limits)
  workers.push(worker)
  return worker
}

/** The client of each job. */
const clients = new Map<string, string>()

async function upload(clientId: string, pictures: number): Promise<string> {
  const id = randomUUIDv7()
  clients.set(id, clientId)
  const assets = Array.from({ length: pictures }, (_, index) => ({ src: `https://img.test/${index}.jpg` }))
  await opened.store.jobs.create(
    newJob({ id, clientId, clientUid: clientId, createdAt: new Date(), moderateImages: true }),
  )
  const text = JSON.stringify(batch([item(`${clientId}-${id}`, { assets })]))
  await opened.store.queue.publish(id, text, { clientId, clientUid: clientId, replays: 0 })
  return id
}

const job = async (id: string) => (await opened.store.jobs.read(clients.get(id) ?? '', id))?.record
const isCompleted = async (id: string) => (await job(id))?.status === 'completed'

const uploads = (clientId: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => upload(clientId, 20)))

const attempts = async (id: string) => (await job(id))?.attempts ?? 0

/** Batches of a client that its consumer has delivered and that are not ended. */
const attempted = async (clientId: string) => {
  const name = consumerOf(keyOf(clientId)).durable_name
  return (await opened.store.manager.consumers.info('BATCHES', name).catch(() => undefined))?.num_ack_pending ?? 0
}

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

test('nor with 12,000 batches before it, nor do thirty clients with slow pictures, each with its picture first', async () => {
  const publish = (clientId: string, text: string) =>
    opened.store.queue.publish(randomUUIDv7(), text, { clientId, clientUid: clientId, replays: 0 })
  const text = JSON.stringify(batch([item('v', { assets: [{ src: 'https://img.test/1.jpg' }] })]))
  await inParallel(64, Array.from({ length: 12_000 }), () => publish('slow', text))
  for (let each = 0; each < 30; each += 1) await publish(`slow-${each}`, text)
  start()
  await waitFor('many that wait for pictures', async () => (await attempted('slow-29')) > 0, { timeoutMs: 20_000 })
  const [texts, picture] = [await upload('quick', 0), await upload('quick-picture', 1)]
  await waitFor('the batch of texts', () => isCompleted(texts), { timeoutMs: 10_000 })
  await waitFor('the first attempt at the other', async () => (await attempts(picture)) > 0, { timeoutMs: 10_000 })
  expect(await inQueue()).toBe(12_031)
})

test('a client that has its share of what waits for pictures gets its further batches back, untried, and they come again', async () => {
  start({ loading: 4 })
  const ids = await uploads('slow', 6)
  await sleep(1_500)
  expect(await Promise.all(ids.map(attempts)).then((all) => all.filter((each) => each === 1))).toHaveLength(2)
  isSlow = false
  for (const id of ids) await waitFor('all batches', () => isCompleted(id), { timeoutMs: 20_000 })
  expect(await Promise.all(ids.map(attempts))).toEqual(ids.map(() => 1))
})

test('a batch that waits under the subject of an earlier version is taken over, and keeps its place', async () => {
  isSlow = false
  const { manager, queue, vehicles } = opened.store
  const origin = { clientId: 'early', clientUid: 'early', replays: 0 }
  const text = JSON.stringify(batch([item('v')]))
  clients.set('former', 'early')
  await manager.jetstream().publish('batches.former', text, { headers: writeOrigin(origin) })
  const { last_seq: place } = (await manager.streams.info('BATCHES')).state
  start()
  await waitFor('the batch', () => isCompleted('former'))
  expect(await vehicles.read('early', 'v')).toMatchObject({ order: { sequence: place } })
  await waitFor('an empty queue', async () => (await inQueue()) === 0)
  expect(await queue.waiting('early', 'former')).toBeUndefined()
})

test('a batch that names no client is kept as one that cannot be read, and stores nothing for anybody', async () => {
  isSlow = false
  const { manager, deadLetters } = opened.store
  const stored = (await manager.streams.info('KV_vehicles')).state.messages
  await manager.jetstream().publish('batches.nobodys', JSON.stringify(batch([item('v')])))
  clients.set('nobodys', '')
  start()
  await waitFor('the batch', () => isCompleted('nobodys'))
  expect((await job('nobodys'))?.errors).toMatchObject([{ code: 'NOT_PROCESSED' }])
  const letters = await deadLetters.list()
  expect(letters.find(({ jobId }) => jobId === 'nobodys')).toMatchObject({
    clientId: '',
    reason: 'the batch cannot be read',
  })
  await waitFor('an empty queue', async () => (await inQueue()) === 0)
  expect((await manager.streams.info('KV_vehicles')).state.messages).toBe(stored)
})

test('a worker that stops finishes what it can, gives the rest back, and another goes on at once', async () => {
  const first = start()
  const ids = await uploads('slow', 12)
  await waitFor('work', async () => (await job(ids[0]!))?.attempts === 1)
  const [stopped] = [first.stop(300), sleep(100).then(() => start())]
  await stopped
  expect(await Promise.all(ids.map(isCompleted))).toEqual(ids.map(() => false))
  isSlow = false
  // Sooner than the server would give up waiting for a worker that was killed.
  for (const id of ids) await waitFor('all batches', () => isCompleted(id), { timeoutMs: 10_000 })
  expect((await job(ids[0]!))?.attempts).toBe(1)
  await waitFor('an empty queue', async () => (await inQueue()) === 0)
})

test('a batch that takes longer than the server waits is still one worker’s alone', async () => {
  start()
  start()
  const id = await upload('slow', 1)
  await sleep(20_000)
  expect(await job(id)).toMatchObject({ status: 'processing', attempts: 1 })
  isSlow = false
  await waitFor('the batch', () => isCompleted(id))
})

test('a consumer that somebody pauses or that gets other batches is mended, and the work goes on', async () => {
  isSlow = false
  const { manager, queue } = opened.store
  const name = consumerOf(keyOf('drifting')).durable_name
  start()
  const first = await upload('drifting', 0)
  await waitFor('the first batch', () => isCompleted(first))
  const { consumers } = manager
  const drift = {
    pause: () => consumers.pause('BATCHES', name, new Date(Date.now() + 3_600_000)),
    filter: () => consumers.update('BATCHES', name, { filter_subject: 'batches.elsewhere.*' }),
    headers: () => consumers.update('BATCHES', name, { headers_only: true }),
  }
  for (const [what, change] of Object.entries(drift)) {
    await change()
    const next = await upload('drifting', 0)
    await waitFor(`the batch after a change of the ${what}`, () => isCompleted(next), { timeoutMs: 20_000 })
    await waitFor('an empty queue', async () => (await queue.waiting('drifting', next)) === undefined)
  }
})

test('a consumer that somebody deletes is made anew, and the work goes on', async () => {
  isSlow = false
  start()
  const first = await upload('quick', 0)
  await waitFor('the first batch', () => isCompleted(first))
  await opened.store.manager.consumers.delete('BATCHES', consumerOf(keyOf('quick')).durable_name)
  const second = await upload('quick', 0)
  await waitFor('the second batch', () => isCompleted(second), { timeoutMs: 30_000 })
})
