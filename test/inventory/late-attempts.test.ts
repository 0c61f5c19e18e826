import type { NextMsgRequest, SeqMsgRequest } from '@nats-io/jetstream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LateVehicle } from '../../inventory/late-vehicle.ts'
import { LATE_PICTURES } from '../../inventory/storage.ts'
import { openStore, type InventoryStore } from '../../inventory/store.ts'
import { connectNats } from '../../runtime/nats/access.ts'
import { asUser } from '../harness/chart-nats.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'

let opened: OpenedStore
/** Three workers, with the rights that a worker has. */
let workers: InventoryStore[]
beforeEach(async () => {
  // The stream has 1.3 MB.
  opened = await openedStore({ bytes: 64 * 1024 * 1024 })
  workers = [await worker(), await worker(), await worker()]
})
afterEach(async () => {
  for (const { connection } of workers) await connection.close()
  await opened.close()
})

const worker = async () =>
  openStore(await connectNats({ url: asUser(opened.nats.url, 'worker') }, { name: 'driveaway-worker' }))

const late = (n: number, run: number, sequence = 1): LateVehicle => ({
  ...{ client_id: 'uploader', source_id: `v${n}`, job_id: `job-${sequence}`, order: { sequence, index: n, run } },
  pictures: [{ position: 0, asset: { src: `https://away.test/${'x'.repeat(14_000)}.jpg` } }],
})

/** An attempt at an upload of so many vehicles; gives how many late pictures were kept. */
async function attempt(count: number, run: number, at = 0, sequence = 1): Promise<number> {
  const ids = Array.from({ length: count }, (_, n) => n)
  const kept = await Promise.all(ids.map((n) => workers[at]!.latePictures.keep(late(n, run, sequence))))
  return kept.filter(Boolean).length
}

/** The vehicle, sequence and run of each message. */
async function waiting(): Promise<string[]> {
  const found: string[] = []
  for (let seq = 1; ;) {
    const query: SeqMsgRequest & NextMsgRequest = { seq, next_by_subj: 'late-pictures.>' }
    const message = await opened.store.manager.streams.getMessage(LATE_PICTURES, query)
    if (!message) return found
    seq = message.seq + 1
    const { source_id, order } = message.json<LateVehicle>()
    found.push(`${source_id} ${order.sequence} ${order.run}`)
  }
}

/** The vehicle as such an attempt has stored it. */
async function storeVehicle(n: number, run: number): Promise<void> {
  const { client_id, source_id, job_id, order } = late(n, run)
  const stored = { source_name: 'test', stored_at: '', item: { vehicle: { source_id } }, assets_left_out: [0] }
  await opened.store.vehicles.store({ client_id, source_id, job_id, order, ...stored })
}

test('a batch that is attempted again and again has the late pictures of its last attempt only', async () => {
  for (let run = 1; run <= 6; run += 1) expect(await attempt(30, run)).toBe(30)
  const ofLast = Array.from({ length: 30 }, (_, n) => `v${n} 1 6`)
  expect((await waiting()).toSorted()).toEqual(ofLast.toSorted())
})

test('other uploads of the same vehicle stay, as does what a later attempt stored before an earlier one', async () => {
  const [first] = workers
  await first!.latePictures.keep(late(1, 5, 1))
  await first!.latePictures.keep(late(1, 6, 2))
  await first!.latePictures.keep(late(1, 4, 1))
  expect(await waiting()).toEqual(['v1 1 5', 'v1 2 6', 'v1 1 4'])
  await first!.latePictures.keep(late(1, 7, 1))
  expect(await waiting()).toEqual(['v1 2 6', 'v1 1 7'])
})

test('what attempts in other workers stored gives way when room is looked for', async () => {
  // Each worker knows its own: three attempts of 20 take two thirds of the stream.
  for (let run = 1; run <= 5; run += 1) expect(await attempt(20, run, run % 3)).toBe(20)
  const left = await waiting()
  expect(left.filter((each) => each.endsWith(' 5')).length).toBe(20)
  expect(left.length).toBeLessThanOrEqual(45)
})

test('a further attempt is kept though others have taken the rest of the room since', async () => {
  expect(await attempt(30, 1)).toBe(30)
  const of = (client: string, n: number) => ({ ...late(n, 1), client_id: client })
  for (const client of ['second', 'third', 'fourth']) {
    for (let n = 0; n < 40; n += 1) await workers[1]!.latePictures.keep(of(client, n))
  }
  expect(await attempt(30, 2)).toBe(30)
  expect((await waiting()).filter((each) => each.endsWith(' 2')).length).toBe(30)
})

test('the pictures of a vehicle that an attempt stored stay until a further one has stored it', async () => {
  // Two vehicles are kept at once, so their order is that in which the server had them.
  expect(await attempt(2, 1)).toBe(2)
  await storeVehicle(0, 1)
  expect(await attempt(2, 2)).toBe(2)
  expect((await waiting()).toSorted()).toEqual(['v0 1 1', 'v0 1 2', 'v1 1 2'])
  expect(await attempt(2, 3)).toBe(2)
  expect((await waiting()).toSorted()).toEqual(['v0 1 1', 'v0 1 3', 'v1 1 3'])
  await storeVehicle(0, 3)
  expect(await attempt(2, 4)).toBe(2)
  expect((await waiting()).toSorted()).toEqual(['v0 1 3', 'v0 1 4', 'v1 1 4'])
})
