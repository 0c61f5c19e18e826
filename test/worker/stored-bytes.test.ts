import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectNats } from '../../runtime/nats/access.ts'
import { createLog } from '../../runtime/log.ts'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { askWorkers } from '../../inventory/client-bytes.ts'
import { newJob } from '../../inventory/job.ts'
import { openStore } from '../../inventory/store.ts'
import { framesOf } from '../../inventory/vehicle-record.ts'
import type { VehicleRecord } from '../../inventory/vehicles.ts'
import { keyOf } from '../../runtime/nats/key.ts'
import { answerStoredBytes } from '../../worker/stored-bytes/answer-stored-bytes.ts'
import { createClientCounts, type ClientCounts } from '../../worker/stored-bytes/client-counts.ts'
import { asUser, chartLogins } from '../harness/chart-nats.ts'
import { startTestNats } from '../harness/nats.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore, STORAGE, type OpenedStore } from '../inventory/opened-store.ts'
import { asWritten, storedVehicle } from '../inventory/stored-vehicle.ts'

let opened: OpenedStore
beforeEach(async () => void (opened = await openedStore()))
afterEach(() => opened.close())

const token = keyOf('uploader')
function linesOf() {
  const lines: string[] = []
  return {
    log: createLog({ name: 'test' }, { write: (line: string) => void lines.push(line) }),
    texts: () => lines.join(''),
  }
}
const keys = (...ids: string[]) => ids.map((id) => keyOf(id))
const stateOf = async () => (await opened.store.manager.streams.info('KV_vehicles')).state
const storeAll = (...records: VehicleRecord[]) =>
  opened.store.vehicles.storeAll(records.map(asWritten), new AbortController().signal)
/** Messages that arrive while something is done. */
const receivedWhile = async (act: () => Promise<unknown>) => {
  const before = opened.connection.stats().inMsgs
  await act()
  return opened.connection.stats().inMsgs - before
}
const countOf = (counts: ClientCounts, ...ids: string[]) =>
  counts.of(opened.store.manager, { bucket: 'vehicles', token }, keys(...ids))
const counting = (most?: number) => {
  const clock = { now: 0 }
  return { clock, counts: createClientCounts(() => clock.now, most) }
}

test('what a client has is counted to the byte, also after vehicles were replaced, deleted and stored again', async () => {
  const { counts } = counting()
  const { vehicles } = opened.store
  expect(await countOf(counts, 'a')).toEqual({ entries: 0, bytes: 0, each: [0] })
  await storeAll(
    storedVehicle('a', {}, 'x'.repeat(50_000)),
    storedVehicle('b', { index: 1 }, 'é'),
    storedVehicle('c', {}),
  )
  const first = await countOf(counts, 'a', 'none')
  expect(first).toMatchObject({ entries: 3, bytes: (await stateOf()).bytes })
  expect(first.each[0]).toBeGreaterThan(50_000)
  expect(first.each[1]).toBe(0)
  // Written by itself, its message has other headers.
  await vehicles.store(storedVehicle('a', { sequence: 2 }, 'short'))
  const second = await countOf(counts, 'a')
  expect(second).toMatchObject({ entries: 3, bytes: (await stateOf()).bytes })
  expect(second.each[0]).toBeLessThan(1_000)
  await vehicles.remove('uploader', 'b')
  expect(await countOf(counts, 'b')).toEqual({ entries: 2, bytes: (await stateOf()).bytes, each: [0] })
  await storeAll(storedVehicle('b', { sequence: 3 }))
  expect(await countOf(counts)).toMatchObject({ entries: 3, bytes: (await stateOf()).bytes })
})

test('the jobs of a client are counted to the byte, while they wait and once they are done, apart from its vehicles', async () => {
  const { jobs, manager } = opened.store
  const { counts } = counting()
  const ofJobs = () => counts.of(manager, { bucket: 'jobs', token }, [])
  const bytesOf = async () => (await manager.streams.info('KV_jobs')).state.bytes
  const fresh = (id: string) =>
    newJob({ id, clientId: 'uploader', clientUid: 'u', createdAt: new Date(), moderateImages: true })
  for (const id of ['one', 'two']) await jobs.create(fresh(id))
  await storeAll(storedVehicle('a', {}))
  const waiting = await ofJobs()
  expect(waiting).toEqual({ entries: 2, bytes: await bytesOf(), each: [] })
  const begun = (await jobs.begin(fresh('one')))!
  const error = { job_item_id: 'one-0', index: 0, path: '/items/0', code: 'MARKUP', message: 'é'.repeat(9_000) }
  await jobs.complete(begun, { counts: { accepted: 0, rejected: 1 }, errors: [error] }, new Date())
  const done = await ofJobs()
  expect(done).toEqual({ entries: 2, bytes: await bytesOf(), each: [] })
  expect(done.bytes).toBeGreaterThan(waiting.bytes + 15_000)
  expect(await countOf(counts)).toMatchObject({ entries: 1 })
})

test('another client’s vehicles are not counted', async () => {
  const { counts } = counting()
  await storeAll({ ...storedVehicle('a', {}), client_id: 'uploader2' })
  expect(await countOf(counts, 'a')).toEqual({ entries: 0, bytes: 0, each: [0] })
})

test('what was known is read once, and again after an hour, or when the stream was made anew', async () => {
  const { clock, counts } = counting()
  const received = () => receivedWhile(() => countOf(counts))
  await storeAll(...Array.from({ length: 90 }, (_, at) => storedVehicle(`v${at}`, { index: at })))
  expect(await received()).toBeGreaterThan(90)
  await storeAll(storedVehicle('v0', { sequence: 2 }))
  expect(await received()).toBeLessThan(10)
  clock.now += 3_600_000
  expect(await received()).toBeGreaterThan(90)
  const { config } = await opened.store.manager.streams.info('KV_vehicles')
  await opened.store.manager.streams.delete('KV_vehicles')
  await opened.store.manager.streams.add({ ...config, first_seq: 1_000 })
  await storeAll(storedVehicle('other', {}))
  expect(await countOf(counts, 'v0')).toEqual({ entries: 1, bytes: (await stateOf()).bytes, each: [0] })
})

test('beyond what is remembered, whoever was asked for longest ago is read again', async () => {
  const { counts } = counting(60)
  const { manager } = opened.store
  for (const name of ['one', 'two', 'three']) {
    const of = Array.from({ length: 30 }, (_, at) => ({ ...storedVehicle(`${at}`, { index: at }), client_id: name }))
    await storeAll(...of)
    expect(await counts.of(manager, { bucket: 'vehicles', token: keyOf(name) }, [])).toMatchObject({ entries: 30 })
  }
  const received = (name: string) =>
    receivedWhile(() => counts.of(manager, { bucket: 'vehicles', token: keyOf(name) }, []))
  for (const name of ['two', 'three']) expect(await received(name)).toBeLessThan(10)
  expect(await received('one')).toBeGreaterThan(30)
  expect(await received('two')).toBeGreaterThan(30)
})

test('what was stored before somebody asked is counted, also while the client is read, and many share one read', async () => {
  const { counts } = counting()
  const stored = Array.from({ length: 20 }, (_, at) => storedVehicle(`v${at}`, { index: at }))
  const asked: Promise<unknown>[] = []
  for (const [at, vehicle] of stored.entries()) {
    await storeAll(vehicle)
    asked.push(countOf(counts).then(({ entries }) => expect(entries).toBeGreaterThan(at)))
    if (at % 3 === 0) await sleep(2)
  }
  await Promise.all(asked)
  const ofOne = await receivedWhile(() => countOf(counts))
  const ofMany = await receivedWhile(() => Promise.all(Array.from({ length: 50 }, () => countOf(counts))))
  expect(ofMany).toBeLessThanOrEqual(ofOne)
})

test('a count leaves no consumer behind, whether or not anything was stored', async () => {
  const { counts } = counting()
  await countOf(counts)
  for (let sequence = 1; sequence < 4; sequence += 1) {
    await storeAll(storedVehicle('v', { sequence }), storedVehicle('w', { sequence }))
    await countOf(counts)
    await storeAll({ ...storedVehicle('v', { sequence }), client_id: 'other' })
    await countOf(counts)
  }
  expect((await stateOf()).consumer_count).toBe(0)
})

test('with its login the API asks a worker with its, and has its last answer while no worker runs', async () => {
  const { url } = opened.nats
  const api = await connectNats({ url: asUser(url, 'inventory') }, { name: 'driveaway-inventory' })
  const ofWorker = await connectNats({ url: asUser(url, 'worker') }, { name: 'driveaway-worker' })
  const log = createLog({ name: 'test', level: 'silent' })
  try {
    const ask = askWorkers(api)
    expect(await ask('vehicles', token, [])).toBeUndefined()
    const store = await openStore(ofWorker)
    const answering = answerStoredBytes({ store: () => store, log })
    // More than one delivery of the server.
    const most = Array.from({ length: 6_000 }, (_, at) => storedVehicle(`v${at}`, { index: at }))
    for (let from = 0; from < most.length; from += 100) await storeAll(...most.slice(from, from + 100))
    await waitFor('an answer', async () => (await ask('vehicles', token, [])) !== undefined)
    expect(await ask('vehicles', token, keys('v0', 'none'))).toMatchObject({
      entries: 6_000,
      bytes: (await stateOf()).bytes,
    })
    await opened.connection.request('$KV.jobs.' + token + '.job', 'x'.repeat(100))
    expect(await ask('jobs', token, [])).toMatchObject({ entries: 1 })
    await answering.stop(0)
    const former = { entries: 6_000, bytes: (await stateOf()).bytes }
    await waitFor('silence', async () => (await ask('vehicles', token, []))?.each === undefined)
    expect(await ask('vehicles', token, [])).toEqual(former)
  } finally {
    await Promise.all([api.close(), ofWorker.close()])
  }
})

test('a worker whose login may not answer does so once it may', async () => {
  const rights = await chartLogins()
  const nats = await startTestNats({ configuration: rights.replace(/(?<="queued\.>"\s+)"stored-bytes\.\*\.\*"/, '') })
  const api = await connectNats({ url: asUser(nats.url, 'inventory') }, { name: 'driveaway-inventory' })
  const ofWorker = await connectNats({ url: asUser(nats.url, 'worker') }, { name: 'driveaway-worker' })
  const lines = linesOf()
  try {
    await ensureStorage(ofWorker, STORAGE)
    const store = await openStore(ofWorker)
    const answering = answerStoredBytes({ store: () => store, log: lines.log, forbiddenMs: 200 })
    await waitFor('the line', () => lines.texts().includes('may not answer'))
    expect(await askWorkers(api)('vehicles', token, [])).toBeUndefined()
    nats.reload(rights)
    await waitFor('an answer', async () => (await askWorkers(api)('vehicles', token, [])) !== undefined)
    await answering.stop(0)
  } finally {
    await Promise.all([api.close(), ofWorker.close()])
    await nats.close()
  }
})

test('the API does not ask again at once about a client for which nobody answered, says so once, and asks about others', async () => {
  const lines = linesOf()
  const asked: string[] = []
  opened.connection.subscribe('stored-bytes.*.*', {
    callback: (_, message) => {
      asked.push(message.subject)
      if (message.subject.endsWith('.other')) message.respond(JSON.stringify({ entries: 1, bytes: 2, each: [] }))
      else if (message.subject.endsWith('.broken')) message.respond('null')
    },
  })
  const ask = askWorkers(opened.connection, lines.log)
  for (const name of ['silent', 'silent', 'broken', 'broken']) expect(await ask('vehicles', name, [])).toBeUndefined()
  expect(await ask('vehicles', 'other', [])).toEqual({ entries: 1, bytes: 2, each: [] })
  expect(asked).toEqual(['stored-bytes.vehicles.silent', 'stored-bytes.vehicles.broken', 'stored-bytes.vehicles.other'])
  expect(lines.texts().match(/no worker has said/g)).toHaveLength(1)
})

test.each([
  ['letters', 'n'],
  ['characters of three bytes', '\u8eca'],
  ['control characters, of which JSON makes six bytes', '\u0001'],
])('the vehicles of a batch are estimated a little longer than they are stored: names of %s', async (_, character) => {
  const sourceName = character.repeat(200)
  const names = { clientId: 'uploader', sourceName, sourceIds: ['short', `longer-${character.repeat(120)}`] }
  const records = names.sourceIds.map((id, index) => storedVehicle(id, { sequence: 1_795_947_635_912, index }))
  const about = { job_id: '01a226d2-2ace-7c82-bfc8-bd79bdad1e7e', source_name: sourceName }
  await storeAll(...records.map((record) => ({ ...record, ...about })))
  const items = records.reduce((sum, { item }) => sum + Buffer.byteLength(JSON.stringify(item)), 0)
  const { bytes } = await stateOf()
  expect(items + framesOf(names)).toBeGreaterThanOrEqual(bytes)
  expect(items + framesOf(names)).toBeLessThan(bytes * 1.1)
})

test('an answer is given again when no other comes, until the API has heard of as many other clients as it remembers', async () => {
  const answer = { entries: 1, bytes: 2, each: [] }
  const workers = opened.connection.subscribe('stored-bytes.*.*', {
    callback: (_, message) => void message.respond(JSON.stringify(answer)),
  })
  const ask = askWorkers(opened.connection, undefined, 2)
  for (const name of ['a', 'b', 'a', 'c']) expect(await ask('jobs', name, [])).toEqual(answer)
  workers.unsubscribe()
  const former = async (name: string) => (await ask('jobs', name, []))?.bytes
  await waitFor('silence', async () => (await ask('jobs', 'd', [])) === undefined)
  expect([await former('a'), await former('b'), await former('c')]).toEqual([2, undefined, 2])
})
