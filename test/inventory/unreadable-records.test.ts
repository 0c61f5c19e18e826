import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newJob } from '../../inventory/job.ts'
import { hashOf } from '../../inventory/idempotency.ts'
import {
  BATCHES,
  batchSubject,
  jobKey,
  LATE_PICTURES,
  latePicturesSubject,
  vehicleSubject,
} from '../../inventory/storage.ts'
import { openStore } from '../../inventory/store.ts'
import { createLog } from '../../runtime/log.ts'
import { keyOf } from '../../runtime/nats/key.ts'
import { attemptBatch, MOST_ATTEMPTS } from '../../worker/batches/attempt-batch.ts'
import { batchTurns } from '../../worker/batches/moderate-images.ts'
import { binding } from '../api/pricing-server.ts'
import { visibleModeration } from '../worker/working.ts'
import { startInventory, type RunningInventory } from './running-inventory.ts'
import { storedVehicle } from './stored-vehicle.ts'
import { batch, completed, item, jobIdOf } from './uploads.ts'

// Another program, or a person, has written a record that none of ours can read.
const CLIENT = 'uploader'
const away = visibleModeration(async () => ({ accepted: false, code: 'SOURCE_UNAVAILABLE', message: '', isAway: true }))
let inventory: RunningInventory
beforeAll(async () => void (inventory = await startInventory(away)))
afterAll(() => inventory.stop(1_000))

const put = (subject: string, value: unknown) =>
  inventory.opened.store.manager.jetstream().publish(subject, typeof value === 'string' ? value : JSON.stringify(value))

const vehicle = (change: object) => ({ ...storedVehicle('x', { sequence: 9e15 }), ...change })
const VEHICLES: [string, unknown][] = [
  ['no JSON', 'hello, not json'],
  ['null', null],
  ['a list', []],
  ['a number', 5],
  ['no order', vehicle({ order: undefined })],
  ['an order of texts', vehicle({ order: { sequence: '5', index: '0', run: '0' } })],
  ['an order in part', vehicle({ order: { sequence: 1, index: 0 } })],
  ['no item', vehicle({ item: undefined })],
  ['an item without a vehicle', vehicle({ item: {} })],
  ['no asset among the assets', vehicle({ item: { vehicle: { source_id: 'x' }, assets: [null] } })],
  ['a text for the assets that were left out', vehicle({ assets_left_out: 'x' })],
]

test.each(VEHICLES)('a stored vehicle that is %s counts as none, and its batch is stored', async (name, value) => {
  const { server, opened } = inventory
  const [plain, late] = [`${name} plain`, `${name} late`]
  for (const id of [plain, late]) await put(vehicleSubject(CLIENT, id), value)
  const items = [item(plain), item(late, { assets: [{ src: 'https://img.test/1.jpg' }] }), item(`${name} beside`)]
  const job = await completed(server, await jobIdOf(await server.post(batch(items))))
  expect(job).toMatchObject({ counts: { accepted: 3, rejected: 0 }, errors: [{ code: 'PICTURE_LATE' }] })
  for (const each of items)
    expect(await opened.store.vehicles.read(CLIENT, each.vehicle.source_id)).toMatchObject({ job_id: job.id })
})

test('a batch is given up whatever stands at the keys of its vehicles', async () => {
  const { opened, working } = inventory
  await working.stop(1_000)
  const id = randomUUID()
  await put(vehicleSubject(CLIENT, 'buried'), 'hello, not json')
  const begun = { ...newJob({ id, clientId: CLIENT, clientUid: 'u', createdAt: new Date(), moderateImages: true }) }
  await opened.store.jobs.create({ ...begun, attempts: MOST_ATTEMPTS })
  const text = JSON.stringify(batch([item('buried')]))
  const outcome = await attemptBatch(
    { jobId: id, clientId: CLIENT, clientUid: 'u', sequence: 1, text, acceptedAt: new Date(), replays: 0 },
    {
      ...{ store: opened.store, moderation: away, log: createLog({ name: 'test', level: 'silent' }) },
      ...{ turns: batchTurns(), signal: new AbortController().signal },
      place: { leave: () => true, comeBack: async () => undefined },
    },
  )
  inventory.workAgain()
  expect(outcome).toEqual({ end: 'ack', why: 'dead letter' })
  const job = (await opened.store.jobs.read(CLIENT, id))?.record
  expect(job).toMatchObject({ status: 'completed', errors: [{ code: 'NOT_PROCESSED' }] })
})

test('the log names an unreadable vehicle once, and who lists or removes vehicles finds it', async () => {
  const lines: object[] = []
  const log = createLog({ name: 'test' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { vehicles } = await openStore(inventory.opened.connection, log)
  await put(vehicleSubject('lister', 'broken one'), 'null')
  for (let at = 0; at < 3; at += 1) expect(await vehicles.read('lister', 'broken one')).toBeUndefined()
  expect(await vehicles.list('lister')).toEqual({ records: [], unreadable: ['broken one'] })
  expect(lines).toMatchObject([{ level: 'warn', clientId: 'lister', sourceId: 'broken one' }])
  expect(await vehicles.remove('lister', 'broken one')).toBe(true)
  expect(await vehicles.list('lister')).toEqual({ records: [], unreadable: [] })
})

const { uid } = binding(CLIENT)
const stored = (change: object) => ({
  ...newJob({ id: 'x', clientId: CLIENT, clientUid: uid, createdAt: new Date(), moderateImages: true }),
  ...change,
})
const JOBS: [string, unknown][] = [
  ['no JSON', 'hello, not json'],
  ['null', null],
  ['a list', []],
  ['of another status', stored({ status: 'x' })],
  ['of no number of attempts', stored({ attempts: 'x' })],
  ['completed without errors', stored({ status: 'completed', errors: null })],
]

test.each(JOBS)('a job whose record is %s is done, and no poll fails', async (_, value) => {
  const { server, opened } = inventory
  const id = randomUUID()
  await put(`$KV.jobs.${jobKey(CLIENT, id)}`, value)
  expect((await server.get(`/jobs/${id}`)).status).toBe(404)
  const text = JSON.stringify(batch([item(`of ${id}`)]))
  await opened.store.queue.publish(id, text, { clientId: CLIENT, clientUid: uid, replays: 0 })
  expect(await completed(server, id)).toMatchObject({ counts: { accepted: 1, rejected: 0 } })
})

test.each(['hello', 'null', '[]', '{"hash":5}'])(
  'an idempotency key whose claim is %s is claimed anew',
  async (claim) => {
    const { server, opened } = inventory
    const key = randomUUID()
    await put(`$KV.idempotency.${keyOf(uid, hashOf(key))}`, claim)
    const upload = () => server.post(batch([item(`claimed ${key}`)]), { 'idempotency-key': key })
    const id = await jobIdOf(await upload())
    await completed(server, id)
    expect(await jobIdOf(await upload())).toBe(id)
    expect(await opened.store.vehicles.read(CLIENT, `claimed ${key}`)).toMatchObject({ job_id: id })
  },
)

test.each(['hello', '-', 'NaN', '{}'])('a count of requests that is %s keeps no client out', async (count) => {
  const { requestRates } = inventory.opened.store
  const minute = Math.floor(Date.now() / 60_000)
  for (const each of [minute, minute + 1]) await requestRates.put(`${keyOf('other')}.${each}`, count)
  const headers = { authorization: `Bearer ${await inventory.server.token('other')}` }
  expect((await inventory.server.get(`/jobs/${randomUUID()}`, headers)).status).toBe(404)
})

test('late pictures that cannot be read stand in no other’s way', async () => {
  const { store } = inventory.opened
  const name = { client_id: 'third', source_id: 'v', job_id: 'j', order: { sequence: 1, index: 0, run: 1 } }
  const values = ['hello', null, 5, [], {}, { ...name, pictures: [null] }, { ...name, order: {}, pictures: [] }]
  for (const value of values) await put(latePicturesSubject('third'), value)
  const info = async () =>
    (await store.manager.streams.info(LATE_PICTURES, { subjects_filter: latePicturesSubject('third') })).state
  await expect.poll(async () => (await info()).subjects ?? {}, { timeout: 20_000 }).toEqual({})
})

test('a batch whose subject names no job is kept as a dead letter and never tried again', async () => {
  const { manager, deadLetters } = inventory.opened.store
  await put(batchSubject('third', 'a$b'), batch([item('nameless')]))
  const left = async () => (await manager.streams.info(BATCHES, { subjects_filter: batchSubject('third', '*') })).state
  await expect.poll(async () => (await left()).subjects ?? {}, { timeout: 10_000 }).toEqual({})
  const reason = 'the batch has no id of a job'
  expect(await deadLetters.list()).toContainEqual(expect.objectContaining({ jobId: 'a$b', reason }))
})
