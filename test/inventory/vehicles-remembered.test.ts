import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { restoreStream, snapshotOf } from '../../backup/streams/snapshot.ts'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { openStore } from '../../inventory/store.ts'
import { openedStore, STORAGE, type OpenedStore } from './opened-store.ts'
import { asWritten, storedVehicle } from './stored-vehicle.ts'

type Worker = Pick<OpenedStore, 'connection' | 'store'>

let one: OpenedStore
let other: Worker
beforeEach(async () => {
  one = await openedStore()
  const connection = await connect({ servers: one.nats.url })
  other = { connection, store: await openStore(connection) }
})
afterEach(async () => {
  await other.connection.close()
  await one.close()
})

const IDS = Array.from({ length: 100 }, (_, index) => `v${index}`)
const STREAM = 'KV_vehicles'
const { signal } = new AbortController()

const storeAll = ({ store }: Worker, sequence: number, ids: readonly string[] = IDS) =>
  store.vehicles.storeAll(
    ids.map((id, index) => asWritten(storedVehicle(id, { sequence, index }))),
    signal,
  )
const sequencesOf = async (ids: readonly string[] = IDS) =>
  Promise.all(ids.map(async (id) => (await other.store.vehicles.read('uploader', id))?.order.sequence))

/** Messages that a worker sent and got meanwhile. */
async function messagesOf({ connection }: Pick<Worker, 'connection'>, work: () => Promise<void>) {
  const before = connection.stats()
  await work()
  const after = connection.stats()
  return { sent: after.outMsgs - before.outMsgs, got: after.inMsgs - before.inMsgs }
}

test('a hundred vehicles of which nothing is known are one read and one write, new or replaced', async () => {
  // The read, its answer that says that there is none, a message for each vehicle, and one answer to all of these.
  expect(await messagesOf(one, () => storeAll(one, 1))).toEqual({ sent: 101, got: 2 })
  expect(await messagesOf(other, () => storeAll(other, 2))).toEqual({ sent: 101, got: 102 })
  // Nothing is later: a question and a read, and nothing is written.
  expect((await messagesOf(other, () => storeAll(other, 1))).sent).toBe(2)
  expect(new Set(await sequencesOf())).toEqual(new Set([2]))
})

test('vehicles that this worker was the last to write are one or two questions and one write', async () => {
  await storeAll(one, 1)
  expect(await messagesOf(one, () => storeAll(one, 2))).toEqual({ sent: 1 + 100, got: 1 + 1 })
  // For the batch that was asked for before, and for the one that was stored since.
  expect(await messagesOf(one, () => storeAll(one, 3, IDS.toReversed()))).toEqual({ sent: 2 + 100, got: 2 + 1 })
  // Half stand further back in this batch, and are later: of the others, only a read can tell.
  expect(await messagesOf(one, () => storeAll(one, 3))).toEqual({ sent: 2 + 1 + 50, got: 2 + 101 + 1 })
  expect((await messagesOf(one, () => storeAll(one, 4, [...IDS, 'new']))).sent).toBe(2 + 1 + 101)
  expect(new Set(await sequencesOf([...IDS, 'new']))).toEqual(new Set([4]))
})

test('what another worker has written since is read, and only what is later is replaced', async () => {
  await storeAll(one, 1)
  await storeAll(other, 7, IDS.slice(0, 4))
  // A question, a write in vain, a read, and a write of those that are earlier.
  expect((await messagesOf(one, () => storeAll(one, 5))).sent).toBe(1 + 100 + 1 + 96)
  expect(await sequencesOf(IDS.slice(0, 6))).toEqual([7, 7, 7, 7, 5, 5])
  await storeAll(one, 8)
  expect(new Set(await sequencesOf())).toEqual(new Set([8]))
})

test('after another worker replaced the last vehicle, everything is read, and a pause asks for nothing', async () => {
  await storeAll(one, 1)
  await storeAll(other, 2)
  expect((await messagesOf(one, () => storeAll(one, 3))).sent).toBe(1 + 1 + 100)
  expect((await messagesOf(one, () => storeAll(one, 4))).sent).toBe(1 + 100)
  expect((await messagesOf(one, () => storeAll(one, 5))).sent).toBe(1 + 100)
  expect(new Set(await sequencesOf())).toEqual(new Set([5]))
})

test('a vehicle that was removed since is stored again, also by a repetition of the upload that had stored it', async () => {
  const ids = IDS.slice(0, 3)
  await storeAll(one, 1, ids)
  await other.store.vehicles.remove('uploader', 'v1')
  await storeAll(one, 1, ids)
  expect(await sequencesOf(ids)).toEqual([1, 1, 1])
  await other.store.vehicles.remove('uploader', 'v1')
  await storeAll(one, 2, ids)
  expect(await sequencesOf(ids)).toEqual([2, 2, 2])
})

test('a later upload to a bucket that was made again is not replaced by an earlier one', async () => {
  await storeAll(one, 1)
  const { manager } = one.store
  await manager.streams.delete(STREAM)
  await ensureStorage(other.connection, STORAGE)
  // At the sequences that the first worker remembers.
  await storeAll(other, 9)
  await storeAll(one, 5)
  expect(new Set(await sequencesOf())).toEqual(new Set([9]))
})

test('a bucket that is restored while a batch is stored leaves nothing that is remembered of both', async () => {
  await storeAll(one, 1)
  const restore = await backUp(other.connection)
  await storeAll(one, 2)
  afterQuestion(async () => {
    await restore()
    // At the sequences that the first worker remembers, and beyond them.
    await storeAll(other, 9)
    await storeAll(other, 9, ['more'])
  })
  await storeAll(one, 3, ['own'])
  await storeAll(one, 5)
  expect(new Set(await sequencesOf())).toEqual(new Set([9]))
})

test('a later upload to a bucket that was restored is not replaced by an earlier one, now or later', async () => {
  await storeAll(one, 1)
  const restore = await backUp(other.connection)
  await storeAll(one, 2)
  await restore()
  // At the sequences that the first worker remembers.
  await storeAll(other, 9)
  // Whatever it writes of its own then, it remembers nothing from before.
  for (const round of [3, 4, 5, 6]) await storeAll(one, round, [`own${round}`])
  await storeAll(one, 5)
  expect(new Set(await sequencesOf())).toEqual(new Set([9]))
})

/** Does something once the server has answered the next question of the first worker, and before the worker has the answer. */
function afterQuestion(work: () => Promise<void>) {
  const { streams } = one.store.manager
  const ask = streams.getMessage.bind(streams)
  streams.getMessage = async (...question) => {
    streams.getMessage = ask
    const answer = await ask(...question)
    await work()
    return answer
  }
}

/** Backs up the vehicles, and returns how to restore them in place of those that are stored then. */
async function backUp(connection: NatsConnection) {
  const { head, bytes } = await snapshotOf(connection, STREAM)
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part.slice())
  async function* again() {
    yield* parts
  }
  return async () => {
    await one.store.manager.streams.delete(STREAM)
    await restoreStream(connection, { head, bytes: again() })
  }
}
