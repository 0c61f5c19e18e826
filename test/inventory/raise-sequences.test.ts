import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import type { SequenceLooks } from '../../inventory/raise-sequences.ts'
import { BATCHES } from '../../inventory/storage.ts'
import { followInventory, openStore, type InventoryStore } from '../../inventory/store.ts'
import { createLog } from '../../runtime/log.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startWorking } from '../worker/working.ts'
import { STORAGE } from './opened-store.ts'
import { asWritten, storedVehicle } from './stored-vehicle.ts'
import { batch, completed, item, startUploadServer, type UploadServer } from './uploads.ts'

const HIGH = 5_000

let nats: TestNats
let connection: NatsConnection
let manager: JetStreamManager
let store: InventoryStore
let server: UploadServer
/** What is stopped before the server is, in this order. */
let started: { stop(graceMs: number): Promise<void> }[]

// A stream of batches as an older copy of it is: it has given fewer sequences than vehicles were stored with.
beforeEach(async () => {
  started = []
  nats = await startTestNats()
  connection = await connect({ servers: nats.url })
  manager = await jetstreamManager(connection)
  await ensureStorage(connection, STORAGE)
  store = await openStore(connection)
  server = await startUploadServer(() => store)
  await store.vehicles.store(storedVehicle('v1', { sequence: HIGH }, 'old'))
  await restoreOlder()
})
afterEach(async () => {
  for (const each of started) await each.stop(5_000)
  await server.close()
  await connection.close()
  await nats.close()
})

async function restoreOlder(): Promise<void> {
  const { config } = await manager.streams.info(BATCHES)
  await manager.streams.delete(BATCHES)
  await manager.streams.add({ ...config, first_seq: 7 })
}

/** More vehicles with low sequences than a look at the newest reads. */
async function storeNew(count = 310): Promise<void> {
  for (let from = 0; from < count; from += 100) {
    const vehicles = Array.from({ length: Math.min(100, count - from) }, (_, at) =>
      asWritten(storedVehicle(`new${from + at}`, { sequence: 6 })),
    )
    await store.vehicles.storeAll(vehicles, new AbortController().signal)
  }
}

const lastSequence = async () => (await manager.streams.info(BATCHES)).state.last_seq
const follow = (name: string, recheckMs?: number) =>
  followInventory({
    ...{ url: nats.url, name, log: createLog({ name, level: 'silent' }) },
    ...{ storage: STORAGE, role: 'owner', ...(recheckMs !== undefined && { recheckMs }) },
  })
const ensure = () => ensureStorage(connection, STORAGE)
const upload = async () => {
  const answer = await server.post(batch([item('v1', { vehicle: { text: 'new' } })]))
  return answer.status === 201 ? ((await answer.json()) as { job_id: string }).job_id : answer.status
}

test('the stream is raised above every vehicle, which is told once and outlives the server', async () => {
  expect(await ensure()).toEqual([
    expect.stringMatching(`its next sequence is 7, below ${HIGH} of a stored vehicle; it was raised, `),
    expect.stringContaining('stream BATCHES: subjects is ["closed-until'),
  ])
  expect(await ensure()).toEqual([])
  await nats.kill()
  await nats.start()
  await waitFor('the server', async () => (await lastSequence()) === HIGH)
  const working = startWorking(() => store)
  const job = await upload()
  await completed(server, String(job))
  expect((await store.vehicles.read('uploader', 'v1'))?.item.vehicle['text']).toBe('new')
  await working.stop(5_000)
})

test('batches that wait are kept and processed first, and until then no upload is accepted', async () => {
  const waiting = await upload()
  expect(waiting).toEqual(expect.any(String))
  expect(await ensure()).toContainEqual(expect.stringContaining('until the batches that wait (1) are processed'))
  expect(await upload()).toBe(503)
  await expect(ensureStorage(connection, STORAGE, 'user')).rejects.toThrow('subjects is ["closed-until-its-sequences')
  const working = startWorking(() => store)
  await completed(server, String(waiting))
  await waitFor('the last batch', async () => (await manager.streams.info(BATCHES)).state.messages === 0)
  expect(await ensure()).toContainEqual(expect.stringContaining('it was raised'))
  await completed(server, String(await upload()))
  expect((await store.vehicles.read('uploader', 'v1'))?.order.sequence).toBe(HIGH + 1)
  await working.stop(5_000)
})

test('two workers at once raise it once, and what is accepted meanwhile stays', async () => {
  const accepted: unknown[] = []
  const ended = new AbortController()
  const uploadUntilEnded = async () => {
    while (!ended.signal.aborted) accepted.push(await upload())
  }
  const uploading = Promise.all([uploadUntilEnded(), uploadUntilEnded()])
  const working = startWorking(() => store)
  const followed = ['one', 'other'].map((name) => follow(name, 100))
  await waitFor('the raised stream', async () => (await lastSequence()) > HIGH + 20)
  ended.abort()
  await uploading
  expect(accepted).toContain(503)
  for (const job of accepted) if (job !== 503) await completed(server, String(job))
  await Promise.all(followed.map((each) => each.stop()))
  await working.stop(5_000)
})

test('a worker that starts finds the vehicles that newer ones with low sequences hide', async () => {
  await storeNew()
  expect(await ensure()).toContainEqual(expect.stringContaining(`below ${HIGH} of a stored vehicle; it was raised`))
  const { seq: sequence } = await manager.jetstream().publish('batches.YQ.j', 'next')
  expect(await store.vehicles.store(storedVehicle('v1', { sequence }))).toBe('stored')
})

test('a worker that runs finds them too, as the stream has fallen since its last look', async () => {
  const followed = follow('one')
  started.push(followed)
  await waitFor('the raised stream', async () => followed.store() !== undefined && (await lastSequence()) === HIGH)
  await restoreOlder()
  await storeNew()
  followed.suspect()
  await waitFor('the stream that was raised again', async () => (await lastSequence()) === HIGH)
})

test('a look reads only the newest vehicles while the stream has not fallen', async () => {
  await storeNew(1_000)
  await ensure()
  const looks: SequenceLooks = {}
  const read = async () => {
    const before = connection.stats().inMsgs
    await ensureStorage(connection, STORAGE, 'owner', looks)
    return connection.stats().inMsgs - before
  }
  expect(await read()).toBeGreaterThan(1_000)
  expect(await read()).toBeLessThan(400)
  await restoreOlder()
  // Nothing that is stored is above the stream, so it is found well once, and not read again.
  await manager.streams.purge(BATCHES, { seq: HIGH + 1 })
  looks.next = HIGH + 100
  expect(await read()).toBeGreaterThan(1_000)
  expect(await read()).toBeLessThan(400)
})

test('a worker opens the stream within seconds after the last batch that waited', async () => {
  await upload()
  const followed = follow('one')
  started.push(followed)
  await waitFor('the closed stream', async () => (await upload()) === 503)
  await waitFor('the store', () => followed.store() !== undefined)
  const working = startWorking(() => store)
  started.unshift(working)
  await waitFor('an upload', async () => (await upload()) !== 503, { timeoutMs: 8_000 })
  expect(await lastSequence()).toBeGreaterThan(HIGH)
})
