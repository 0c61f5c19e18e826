import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StreamConfig } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { nextSequence } from '../../inventory/next-sequence.ts'
import { openStore, type InventoryStore } from '../../inventory/store.ts'
import type { VehicleRecord } from '../../inventory/vehicles.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'
import { openTcpGate } from '../harness/tcp-gate.ts'
import { asWritten, storedVehicle } from './stored-vehicle.ts'

let opened: OpenedStore
beforeAll(async () => void (opened = await openedStore()))
afterAll(() => opened.close())

const { signal } = new AbortController()

const sourceIds = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const batchOf = (ids: readonly string[], sequence: number, text?: string) =>
  ids.map((id, index) => storedVehicle(id, { sequence, index }, text))
const storeAll = (records: readonly VehicleRecord[]) => opened.store.vehicles.storeAll(records.map(asWritten), signal)
const orderOf = async (id: string) => (await opened.store.vehicles.read('uploader', id))?.order
const sequencesOf = async (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await orderOf(id))?.sequence))

test('only what is later is replaced, whoever wrote it, and what was deleted can be stored again', async () => {
  const { vehicles } = opened.store
  // Written one by one, as an earlier version does: the order is in the record alone.
  await vehicles.store(storedVehicle('earlier', { sequence: 4 }))
  await vehicles.store(storedVehicle('later', { sequence: 6 }))
  await vehicles.store(storedVehicle('same, later run', { sequence: 5, index: 2, run: 9 }))
  await vehicles.store(storedVehicle('deleted', { sequence: 7 }))
  await vehicles.remove('uploader', 'deleted')
  const ids = ['earlier', 'later', 'same, later run', 'deleted', 'new']
  await storeAll(batchOf(ids, 5))
  expect(await sequencesOf(ids)).toEqual([5, 6, 5, 5, 5])
  expect(await orderOf('same, later run')).toEqual({ sequence: 5, index: 2, run: 9 })
})

test('of a vehicle that is twice in a batch, the later one is stored', async () => {
  await storeAll([
    storedVehicle('twice', { index: 0 }),
    storedVehicle('other', { index: 1 }),
    storedVehicle('twice', { index: 2 }),
  ])
  expect(await orderOf('twice')).toEqual({ sequence: 1, index: 2, run: 1 })
  expect(await orderOf('other')).toEqual({ sequence: 1, index: 1, run: 1 })
})

test('twenty batches of the same vehicles at once end with the latest of each', async () => {
  const ids = sourceIds('c', 30)
  const sequences = Array.from({ length: 20 }, (_, index) => ((index * 7) % 20) + 1)
  await Promise.all(sequences.map((sequence) => storeAll(batchOf(ids.toSpliced(sequence, 1), sequence))))
  const latest = ids.map((_, index) => (index === 20 ? 19 : 20))
  expect(await sequencesOf(ids)).toEqual(latest)
})

test('more stored vehicles than one read gives are replaced all the same', async () => {
  const ids = sourceIds('l', 12)
  await storeAll(batchOf(ids.slice(0, 6), 1, 'x'.repeat(1_500_000)))
  await storeAll(batchOf(ids.slice(6), 1, 'x'.repeat(1_500_000)))
  await storeAll(batchOf(ids, 2))
  expect(new Set(await sequencesOf(ids))).toEqual(new Set([2]))
})

test.each<Partial<StreamConfig>>([{ allow_atomic: false }, { allow_direct: false }])(
  'where the bucket has %j, each vehicle is stored by itself',
  async (setting) => {
    const { manager } = opened.store
    const [name] = Object.keys(setting)
    const ids = sourceIds(`${name}-`, 3)
    await manager.streams.update('KV_vehicles', setting)
    await storeAll(batchOf(ids, 3))
    await storeAll(batchOf(ids, 2))
    await manager.streams.update('KV_vehicles', { allow_atomic: true, allow_direct: true })
    expect(await sequencesOf(ids)).toEqual([3, 3, 3])
  },
)

/** What becomes of a read whose connection is closed before the server has answered. */
async function closedWhile(read: (store: InventoryStore) => Promise<unknown>): Promise<unknown> {
  const gate = await openTcpGate(Number(new URL(opened.nats.url).port))
  try {
    const connection = await connect({ servers: `nats://127.0.0.1:${gate.port}` })
    const store = await openStore(connection)
    gate.shut()
    const reading = read(store).catch((error: unknown) => error)
    await sleep(100)
    await connection.close()
    return await reading
  } finally {
    await gate.close()
  }
}

test('vehicles whose connection is closed while they are read are not stored, and the attempt ends', async () => {
  const ended = closedWhile(({ vehicles }) => vehicles.storeAll(batchOf(['away'], 1).map(asWritten), signal))
  expect(String(await ended)).toMatch(/closed/)
})

test('the look for the latest sequence ends where the connection is closed', async () => {
  await storeAll(batchOf(['last'], 1))
  const vehicles = await opened.store.manager.streams.info('KV_vehicles')
  const ended = closedWhile(({ manager }) => nextSequence(manager, vehicles))
  expect(String(await ended)).toContain('the server did not end its answer')
})
