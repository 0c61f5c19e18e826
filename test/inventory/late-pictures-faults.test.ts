import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { afterEach, expect, test } from 'vitest'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import type { LateVehicle } from '../../inventory/late-vehicle.ts'
import { MOST_LATE_OF_ONE } from '../../inventory/storage.ts'
import { openStore } from '../../inventory/store.ts'
import { inParallel } from '../../runtime/in-parallel.ts'
import type { Logger } from '../../runtime/log.ts'
import { connectNats } from '../../runtime/nats/access.ts'
import { asUser, chartLogins } from '../harness/chart-nats.ts'
import { startTestNats } from '../harness/nats.ts'
import { STORAGE } from './opened-store.ts'

const closes: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close()
})

/** A server with the logins of the chart, changed; a store with the login of the worker; and what it logs. */
async function opened(change: (logins: string) => string = (logins) => logins) {
  const nats = await startTestNats({ configuration: change(await chartLogins()) })
  closes.push(() => nats.close())
  const admin = await connect({ servers: nats.url })
  closes.push(() => admin.close())
  await ensureStorage(admin, STORAGE)
  const connection = await connectNats({ url: asUser(nats.url, 'worker') }, { name: 'driveaway-worker' })
  closes.push(() => connection.close())
  const logged: string[] = []
  const log = { warn: (_: object, message: string) => void logged.push(message) } as Partial<Logger> as Logger
  return { admin, logged, store: await openStore(connection, log) }
}

const late = (n: number, sequence = 1): LateVehicle => ({
  ...{ client_id: 'uploader', source_id: `v${n}`, job_id: 'job', order: { sequence, index: n, run: 1 } },
  pictures: [{ position: 0, asset: { src: 'https://away.test/1.jpg' } }],
})

async function fill({ latePictures }: Awaited<ReturnType<typeof openStore>>): Promise<void> {
  const ids = Array.from({ length: MOST_LATE_OF_ONE }, (_, n) => n)
  await inParallel(64, ids, async (n) => void expect(await latePictures.keep(late(n))).toBe(true))
}

/** The vehicle of the first late pictures, as a later upload has stored it. */
const later = {
  ...{ client_id: 'uploader', source_id: 'v0', job_id: 'later', order: { sequence: 2, index: 0, run: 1 } },
  ...{ source_name: 'test', stored_at: '', item: { vehicle: { source_id: 'v0' } } },
}

test('where the server fails a look for room, the attempt is to be made again; it looks anew', async () => {
  const { admin, store, logged } = await opened()
  await fill(store)
  await store.vehicles.store(later)
  const manager = await jetstreamManager(admin)
  await manager.streams.delete('KV_jobs')
  const more = late(MOST_LATE_OF_ONE)
  await expect(store.latePictures.keep(more)).rejects.toThrow(/stream not found|no responders/)
  await ensureStorage(admin, STORAGE)
  expect(await store.latePictures.keep(more)).toBe(true)
  expect(await store.latePictures.keep(late(MOST_LATE_OF_ONE + 1))).toBe(false)
  expect(logged).toEqual([])
})

test('a login that may not look is told of, and its pictures are refused as without room', async () => {
  const { store, logged } = await opened((logins) => logins.replaceAll('MSG.GET.LATE_PICTURES', 'MSG.GET.NONE'))
  await fill(store)
  expect(await store.latePictures.keep(late(MOST_LATE_OF_ONE))).toBe(false)
  expect(await store.latePictures.keep(late(MOST_LATE_OF_ONE + 1))).toBe(false)
  expect(logged).toEqual(['this login may not make room for late pictures'])
})
