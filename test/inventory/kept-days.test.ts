import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { KEPT_DAYS } from '../../inventory/storage.ts'
import { followInventory } from '../../inventory/store.ts'
import { createLog } from '../../runtime/log.ts'
import type { StorageRole } from '../../runtime/nats/ensure-storage.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { waitFor } from '../harness/wait-for.ts'
import { STORAGE } from './opened-store.ts'

const RECHECK_MS = 100
const DAY_MS = 86_400_000

let nats: TestNats
let connection: NatsConnection
let manager: JetStreamManager
let started: ReturnType<typeof followInventory>[]

beforeEach(async () => {
  nats = await startTestNats()
  connection = await connect({ servers: nats.url, reconnectTimeWait: 50 })
  manager = await jetstreamManager(connection)
  started = []
})
afterEach(async () => {
  await Promise.all(started.map((each) => each.stop()))
  await connection.close()
  await nats.close()
})

async function start(name: string, days: number, role: StorageRole = 'owner'): Promise<string[]> {
  const lines: string[] = []
  const log = createLog({ name }, { write: (line: string) => void lines.push(line) })
  const storage = { ...STORAGE, vehiclesKeptDays: days }
  const followed = followInventory({ url: nats.url, name, log, storage, role, recheckMs: RECHECK_MS })
  started.push(followed)
  await waitFor(`the store of ${name}`, () => followed.store() !== undefined)
  return lines
}

const config = async () => (await manager.streams.info('KV_vehicles')).config
const days = async () => (await config()).max_age / nanos(DAY_MS)
// The connection is looked at each second.
const checked = () => new Promise((resolve) => void setTimeout(resolve, 2_500))
const told = (lines: readonly string[]) => lines.filter((line) => line.includes('VEHICLES_KEPT_DAYS'))

test('of two workers with two values the later one’s holds, and the other says both values, once', async () => {
  const earlier = await start('earlier', 30)
  expect(await days()).toBe(30)
  const later = await start('later', 7)
  await checked()
  expect(await days()).toBe(7)
  expect(told(earlier)).toEqual([
    expect.stringContaining('kept for 7 days, as another program has set it; VEHICLES_KEPT_DAYS of this one is 30'),
  ])
  expect(told(later)).toEqual([])
  expect(later.filter((line) => line.includes('was changed'))).toHaveLength(1)
  await nats.kill()
  await nats.start()
  await waitFor('the server', () => days().catch(() => undefined))
  await waitFor('the return', () => started.every((each) => each.store() !== undefined))
  await checked()
  expect(await days()).toBe(7)
})

test('an API with another value works, and says both values', async () => {
  await start('worker', 30)
  const lines = await start('api', 0, 'user')
  expect(await days()).toBe(30)
  expect(told(lines)).toEqual([expect.stringContaining('kept for 30 days, as another')])
})

test('an age that somebody sets by hand is still changed back, to what the last worker has set', async () => {
  await start('earlier', 30)
  await start('later', 7)
  await started[1]!.stop()
  await manager.streams.update('KV_vehicles', {
    max_age: nanos(DAY_MS),
    metadata: { ...(await config()).metadata, own: '1' },
  })
  await waitFor('the declared age', async () => (await days()) === 7)
  expect((await config()).metadata).toMatchObject({ own: '1' })
})

test('a bucket that an API makes has no word on the days, and the worker’s holds', async () => {
  await start('worker', 30)
  await started[0]!.stop()
  await manager.streams.delete('KV_vehicles')
  await start('api', 7, 'user')
  expect((await config()).metadata).not.toHaveProperty(KEPT_DAYS)
  const lines = await start('again', 30)
  await checked()
  expect([await days(), (await config()).metadata?.[KEPT_DAYS]]).toEqual([30, '30'])
  expect(told(lines)).toEqual([])
})

test('a worker that runs gives its days to a bucket that an API has made', async () => {
  await start('worker', 30)
  await manager.streams.delete('KV_vehicles')
  await ensureStorage(connection, { ...STORAGE, vehiclesKeptDays: 7 }, 'user')
  await waitFor('the days of the worker', async () => (await days()) === 30)
})
