import { Readable } from 'node:stream'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gatherStreams } from '../../backup/streams/gather.ts'
import type { KeptStream } from '../../backup/streams/kept-streams.ts'
import { planStreams, writeStream } from '../../backup/streams/restore.ts'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { BATCHES } from '../../inventory/storage.ts'
import { followInventory, openStore } from '../../inventory/store.ts'
import { createLog, type Logger } from '../../runtime/log.ts'
import { driftMetrics, type DriftMetrics } from '../../runtime/nats/drift.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { waitFor } from '../harness/wait-for.ts'
import { asWritten, storedVehicle } from './stored-vehicle.ts'

const GIGABYTE = 1024 ** 3
const log = createLog({ name: 'test', level: 'silent' })
let nats: TestNats
let connection: NatsConnection
let followed: ReturnType<typeof followInventory> | undefined

beforeEach(async () => {
  nats = await startTestNats()
  connection = await connect({ servers: nats.url })
})
afterEach(async () => {
  await followed?.stop()
  followed = undefined
  await connection.close()
  await nats.close()
})

const ensure = (bytes = GIGABYTE) => ensureStorage(connection, { replicas: 1, bytes })
const batches = async () => (await (await jetstreamManager(connection)).streams.info(BATCHES)).config

// The types of the library lack it.
const SEALED: object = { sealed: true }
const storage = { replicas: 1, bytes: GIGABYTE }
const follow = (change: { recheckMs?: number; log?: Logger; drift?: DriftMetrics } = {}) =>
  followInventory({ url: nats.url, name: 'test', log, role: 'owner', storage, ...change })

test('two programs that start at once make the storage together, and a third finds it as declared', async () => {
  await Promise.all([ensure(), ensure()])
  await ensure()
  expect(await batches()).toMatchObject({ retention: 'workqueue', discard: 'new', max_age: 0 })
})

test('a stream that is too small grows, and one that is larger than declared stays as large as it is', async () => {
  await ensure(GIGABYTE)
  await ensure(2 * GIGABYTE)
  expect((await batches()).max_bytes).toBe(0.5 * GIGABYTE)
  await ensure(GIGABYTE)
  expect((await batches()).max_bytes).toBe(0.5 * GIGABYTE)
})

test('a stream of an earlier version is changed to what is declared, keeps what it has, and loses its former consumer', async () => {
  const manager = await jetstreamManager(connection)
  const former = { name: BATCHES, subjects: ['batches.*'], max_bytes: GIGABYTE }
  await manager.streams.add({ ...former, retention: 'workqueue', discard: 'old' })
  await manager.consumers.add(BATCHES, { durable_name: 'worker', ack_policy: 'explicit', headers_only: true })
  await manager.jetstream().publish('batches.j', 'kept')
  await ensure()
  expect(await batches()).toMatchObject({
    subjects: ['batches.>'],
    discard: 'new',
    max_bytes: GIGABYTE,
    allow_direct: true,
  })
  expect((await manager.streams.getMessage(BATCHES, { last_by_subj: 'batches.j' }))?.string()).toBe('kept')
  expect((await manager.streams.info(BATCHES)).state.consumer_count).toBe(0)
})

test('the vehicles of an earlier version stay, and can then be read and written together', async () => {
  const manager = await jetstreamManager(connection)
  const former = { name: 'KV_vehicles', subjects: ['$KV.vehicles.>'], max_msgs_per_subject: 1, deny_delete: true }
  await manager.streams.add({ ...former, discard: 'new', allow_rollup_hdrs: true, allow_direct: false })
  await manager.jetstream().publish('$KV.vehicles.a.b', 'kept')
  await ensure()
  const { config } = await manager.streams.info('KV_vehicles')
  expect(config).toMatchObject({ allow_direct: true, allow_atomic: true })
  expect((await manager.direct.getMessage('KV_vehicles', { last_by_subj: '$KV.vehicles.a.b' }))?.string()).toBe('kept')
})

test('a stream whose settings NATS does not change is not used, and the reason names the setting', async () => {
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name: BATCHES, subjects: ['batches.*'], discard: 'new', max_bytes: GIGABYTE })
  await expect(ensure()).rejects.toThrow('stream BATCHES: retention is "limits", expected "workqueue" (not changed: ')
  followed = follow()
  await waitFor('the verdict', () => JSON.stringify(followed?.ready().body).includes('retention'))
  expect(followed.store()).toBeUndefined()
})

test('who only uses the storage makes what is missing, and leaves what is otherwise to its owner', async () => {
  const use = (bytes: number) => ensureStorage(connection, { replicas: 1, bytes }, 'user')
  await use(GIGABYTE)
  // A larger one is wanted: this one is used all the same.
  await use(2 * GIGABYTE)
  expect((await batches()).max_bytes).toBe(0.25 * GIGABYTE)
  const manager = await jetstreamManager(connection)
  await manager.streams.update(BATCHES, { subjects: ['batches.*'] })
  await expect(use(GIGABYTE)).rejects.toThrow(
    'subjects is ["batches.*"], expected ["batches.>"] (not changed: the program that owns the stream changes it)',
  )
  await ensure()
  await use(GIGABYTE)
})

test('a stream of batches that is made anew begins above every sequence that the lost one gave', async () => {
  await ensure()
  const manager = await jetstreamManager(connection)
  const before = (await manager.streams.info(BATCHES)).state
  await manager.streams.delete(BATCHES)
  await ensure()
  const after = (await manager.streams.info(BATCHES)).state
  expect(after.last_seq + 1).toBeGreaterThan(before.last_seq + 1)
})

test('settings that nobody declared are taken off again, and each is told', async () => {
  await ensure()
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name: 'OTHER', subjects: ['other'] })
  const { description, ...drift } = {
    ...{ description: 'of the operator', max_msgs: 3, republish: { src: '>', dest: 'copies.>' } },
    ...{ sources: [{ name: 'OTHER' }], subject_transform: { src: '>', dest: 'moved.>' } },
  }
  await manager.streams.update('DEAD_LETTERS', { description, ...drift })
  const changed = await ensure()
  expect(changed.map((line) => line.split(' is ')[0]).sort()).toEqual(
    ['max_msgs', 'republish', 'sources', 'subject_transform'].map((key) => `stream DEAD_LETTERS: ${key}`),
  )
  const { config } = await manager.streams.info('DEAD_LETTERS')
  expect(config).toMatchObject({ description, max_msgs: -1 })
  for (const key of ['republish', 'sources', 'subject_transform']) expect(config).not.toHaveProperty(key)
  expect(await ensure()).toEqual([])
})

test('the owner finds what somebody changes while it is connected: it changes it back, or says why it cannot', async () => {
  const lines: string[] = []
  const told = createLog({ name: 'test' }, { write: (line: string) => void lines.push(line) })
  followed = follow({ recheckMs: 100, log: told })
  await waitFor('the store', () => followed?.store() !== undefined)
  const manager = await jetstreamManager(connection)
  await manager.streams.update('KV_vehicles', { max_msgs: 3, discard: 'old' })
  await waitFor('the declared settings', async () => {
    const { max_msgs: most, discard } = (await manager.streams.info('KV_vehicles')).config
    return most === -1 && discard === 'new'
  })
  await waitFor('a warning', () =>
    lines.some((line) => line.includes('stream KV_vehicles: max_msgs is 3, expected -1')),
  )
  await manager.streams.update('DEAD_LETTERS', SEALED)
  await waitFor('the verdict', () =>
    JSON.stringify(followed?.ready()).includes('stream DEAD_LETTERS: sealed is true, expected false (not changed: '),
  )
  expect(followed.store()).toBeUndefined()
})

test('a consumer that somebody adds to the batches is told once, counted, and stays; those of clients are not', async () => {
  const lines: string[] = []
  const told = createLog({ name: 'test' }, { write: (line: string) => void lines.push(line) })
  const registry = new Registry()
  followed = follow({ recheckMs: 100, log: told, drift: driftMetrics(registry) })
  const store = await waitFor('the store', () => followed?.store())
  const shown = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0]?.value
  const consumers = () => shown('driveaway_storage_undeclared_consumers')
  await store.clientQueues.next('YQ')
  const manager = await jetstreamManager(connection)
  const added = { durable_name: 'mine', ack_policy: 'explicit', filter_subject: 'batches.Yg.*' } as const
  await manager.consumers.add(BATCHES, added)
  await waitFor('the count', async () => (await consumers()) === 1)
  await manager.streams.update('KV_vehicles', { max_msgs: 3 })
  await waitFor('the setting', async () => (await shown('driveaway_storage_settings_changed_total')) === 1)
  expect(lines.filter((line) => line.includes('that nobody declared'))).toEqual([
    expect.stringContaining('consumer mine of BATCHES: takes batches.Yg.*, and no worker made it'),
  ])
  expect((await manager.consumers.info(BATCHES, 'mine')).name).toBe('mine')
  await manager.consumers.delete(BATCHES, 'mine')
  await waitFor('the count', async () => (await consumers()) === 0)
})

test('a stream whose setting NATS does not change is moved by a backup, by hand, and nothing of it is lost', async () => {
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name: BATCHES, subjects: ['batches.>'], discard: 'new', max_bytes: GIGABYTE })
  await expect(ensure()).rejects.toThrow('BATCHES: retention is "limits"')
  const client = manager.jetstream()
  await client.publish('dead-letters.j', 'kept')
  await client.publish('batches.YQ.j', 'waits')
  const { seq } = await client.publish('batches.YQ.k', 'waits too')
  await manager.streams.update('DEAD_LETTERS', SEALED)
  await expect(ensure()).rejects.toThrow('DEAD_LETTERS: sealed is true')
  // As docs/nats.md says: back up, delete, restore.
  const kept: KeptStream[] = []
  for await (const { head, bytes } of gatherStreams(connection)) {
    const read: Uint8Array[] = []
    for await (const each of bytes) read.push(each)
    kept.push({ head, bytes: Readable.from(read) })
  }
  for (const name of ['DEAD_LETTERS', BATCHES]) await manager.streams.delete(name)
  const steps = await planStreams(
    connection,
    kept.map(({ head }) => head),
  )
  for (const [at, step] of steps.entries()) await writeStream(connection, step, kept[at]!)
  expect(await ensure()).toEqual([])
  expect((await manager.streams.getMessage('DEAD_LETTERS', { last_by_subj: 'dead-letters.j' }))?.string()).toBe('kept')
  const moved = await manager.streams.getMessage(BATCHES, { last_by_subj: 'batches.YQ.k' })
  expect([moved?.string(), moved?.header.get('Driveaway-Sequence')]).toEqual(['waits too', String(seq)])
})

test('a stream of batches that a fast clock began is made anew above every vehicle that it wrote', async () => {
  const manager = await jetstreamManager(connection)
  const nextYear = Date.now() + 365 * 86_400_000
  await ensure()
  const store = await openStore(connection)
  // One of an earlier version, which has no header, one of this, and one that was deleted.
  await store.vehicles.store(storedVehicle('v1', { sequence: nextYear + 7 }))
  await store.vehicles.storeAll([asWritten(storedVehicle('v2', { sequence: nextYear + 3 }))], new AbortController().signal)
  await store.vehicles.store(storedVehicle('v3', { sequence: nextYear + 5 }))
  await store.vehicles.remove('uploader', 'v3')
  await manager.streams.delete(BATCHES)
  await expect(ensureStorage(connection, { replicas: 1, bytes: GIGABYTE }, 'user')).rejects.toThrow(
    'the stream BATCHES is missing; the worker creates it',
  )
  await ensure()
  const { seq: sequence } = await manager.jetstream().publish('batches.YQ.j', 'next')
  expect(sequence).toBe(nextYear + 8)
  expect(await store.vehicles.store(storedVehicle('v1', { sequence }))).toBe('stored')
})

test('the storage is there again as soon as the server is', async () => {
  followed = follow()
  await waitFor('the store', () => followed?.store() !== undefined)
  await nats.kill()
  await waitFor('the loss', () => followed?.store() === undefined)
  await nats.start()
  await waitFor('the store again', () => followed?.store() !== undefined)
})
