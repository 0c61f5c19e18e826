import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { BATCHES } from '../../inventory/storage.ts'
import { followInventory } from '../../inventory/store.ts'
import { createLog } from '../../runtime/log.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { waitFor } from '../harness/wait-for.ts'

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

const follow = () =>
  followInventory({ url: nats.url, name: 'test', log, role: 'owner', storage: { replicas: 1, bytes: GIGABYTE } })

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

test('the storage is there again as soon as the server is', async () => {
  followed = follow()
  await waitFor('the store', () => followed?.store() !== undefined)
  await nats.kill()
  await waitFor('the loss', () => followed?.store() === undefined)
  await nats.start()
  await waitFor('the store again', () => followed?.store() !== undefined)
})
