import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Asset, Batch } from '../../inventory/batch.ts'
import type { JobResult } from '../../inventory/job.ts'
import type { Vehicles } from '../../inventory/vehicles.ts'
import { batchTurns } from '../../worker/batches/moderate-images.ts'
import { moderateAndStore, type ModeratedStore } from '../../worker/batches/moderate-and-store.ts'
import type { ImageVerdict } from '../../worker/moderation/types.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { batch, item } from '../inventory/uploads.ts'
import { visibleModeration } from './working.ts'

let opened: OpenedStore
beforeAll(async () => void (opened = await openedStore()))
afterAll(() => opened.close())

const AWAY: ImageVerdict = { accepted: false, code: 'SOURCE_UNAVAILABLE', message: 'no answer', isAway: true }
const judge = async (src: string): Promise<ImageVerdict> => (src.includes('away') ? AWAY : { accepted: true })

const asset = (further: object = {}): Asset => ({ src: 'https://img.test/1.jpg', ...further })
const withNewAddress = asset({ thumbnail: 'https://away.test/1.jpg' })

async function store(clientId: string, sourceId: string, stored: Asset, index = 0): Promise<void> {
  const record = { client_id: clientId, source_id: sourceId, source_name: 'test', job_id: 'before', stored_at: '' }
  await opened.store.vehicles.store({
    ...record,
    order: { sequence: 0, index, run: 1 },
    item: item(sourceId, { assets: [stored] }),
  })
}

const attempt = (clientId: string, items: readonly unknown[], turns = batchTurns()) => ({
  ...{ jobId: clientId, clientId, sequence: 1, run: 1, turns, batch: batch(items) as Batch },
  signal: new AbortController().signal,
})

/** An upload of two vehicles: a picture of the first is late, then something happens, then the second has its picture judged. */
async function uploadDuring(clientId: string, happens: () => Promise<unknown>): Promise<JobResult> {
  const [late, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<ImageVerdict>()]
  const items = [item('v0', { assets: [withNewAddress] }), item('v1', { assets: [{ src: 'slow' }] })]
  const moderation = visibleModeration((src) => (src === 'slow' ? slow.promise : judge(src)))
  const latePictures: ModeratedStore['latePictures'] = {
    keep: async (pictures) => {
      const isKept = await opened.store.latePictures.keep(pictures)
      late.resolve()
      return isKept
    },
  }
  const work = moderateAndStore(attempt(clientId, items), moderation, { ...opened.store, latePictures })
  await late.promise
  await happens()
  slow.resolve({ accepted: true })
  return work
}

test('what a vehicle keeps of the stored one is read when it is stored, not while other pictures of its batch load', async () => {
  await store('one', 'v0', asset({ alt: 'first' }))
  const result = await uploadDuring('one', () => store('one', 'v0', asset({ alt: 'second' }), 1))
  expect(result).toMatchObject({ counts: { accepted: 2, rejected: 0 }, errors: [{ code: 'PICTURE_LATE' }] })
  const stored = await opened.store.vehicles.read('one', 'v0')
  expect(stored).toMatchObject({ job_id: 'one', item: { assets: [asset({ alt: 'second' })] }, assets_as_before: [0] })
})

test('a vehicle that was removed while other pictures of its batch loaded keeps nothing of it', async () => {
  await store('two', 'v0', asset())
  await uploadDuring('two', () => opened.store.vehicles.remove('two', 'v0'))
  const stored = await opened.store.vehicles.read('two', 'v0')
  expect(stored).toMatchObject({ item: { assets: [] }, assets_left_out: [0] })
  expect(stored).not.toHaveProperty('assets_as_before')
})

/** Vehicles that say how many of them are in memory at most, of one client and of all. */
function counted({ vehicles }: ModeratedStore) {
  const [now, most] = [new Map<string, number>(), new Map<string, number>()]
  const add = (name: string, count: number) => {
    now.set(name, (now.get(name) ?? 0) + count)
    most.set(name, Math.max(most.get(name) ?? 0, now.get(name)!))
  }
  const during = async <T>(clientId: string, work: () => Promise<T>): Promise<T> => {
    for (const name of [clientId, 'all']) add(name, 1)
    await sleep(20)
    const done = await work()
    for (const name of [clientId, 'all']) add(name, -1)
    return done
  }
  const read: Vehicles['read'] = (clientId, sourceId) => during(clientId, () => vehicles.read(clientId, sourceId))
  const storeOver: Vehicles['storeOver'] = (name, follow) =>
    during(name.client_id, () => vehicles.storeOver(name, follow))
  return { most, vehicles: { ...vehicles, read, storeOver } }
}

test('while a source is away, few stored vehicles are in memory at once, however many clients have batches', async () => {
  const clients = ['a', 'b', 'c', 'd']
  const ids = Array.from({ length: 12 }, (_, n) => `v${n}`)
  await Promise.all(clients.flatMap((client) => ids.map((id) => store(client, id, asset()))))
  const { most, vehicles } = counted(opened.store)
  const turns = batchTurns()
  const works = clients.map((client) => {
    const items = ids.map((id) => item(id, { assets: [withNewAddress] }))
    return moderateAndStore(attempt(client, items, turns), visibleModeration(judge), { ...opened.store, vehicles })
  })
  const counts = (await Promise.all(works)).map((result) => result.counts.accepted)
  expect(counts).toEqual(clients.map(() => ids.length))
  expect(most.get('all')).toBeLessThanOrEqual(8)
  for (const client of clients) expect(most.get(client)).toBeLessThanOrEqual(4)
  const stored = await Promise.all(clients.map((client) => opened.store.vehicles.read(client, 'v11')))
  expect(stored.map((each) => each?.item.assets)).toEqual(clients.map(() => [asset()]))
})
