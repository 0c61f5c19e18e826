import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Asset } from '../../inventory/batch.ts'
import { newJob, type JobRecord } from '../../inventory/job.ts'
import type { LateVehicle } from '../../inventory/late-vehicle.ts'
import { LATE_PICTURES, MOST_LATE_OF_ONE } from '../../inventory/storage.ts'
import { inParallel } from '../../runtime/in-parallel.ts'
import type { TurnLimits } from '../../worker/batches/client-turns.ts'
import type { ImageVerdict } from '../../worker/moderation/types.ts'
import { asUser } from '../harness/chart-nats.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { startProgram } from '../inventory/programs.ts'
import { batch, item } from '../inventory/uploads.ts'
import { photograph, startSource } from './moderation/images/sources.ts'
import { SOON, startWorking, visibleModeration } from './working.ts'

let opened: OpenedStore
/** Hosts that do not answer, and one that takes for ever. */
let away: Set<string>
let isSlow: boolean
let tried: string[]
const stops: (() => Promise<void>)[] = []
beforeEach(async () => {
  opened = await openedStore()
  away = new Set(['away.test'])
  isSlow = false
  tried = []
})
afterEach(async () => {
  isSlow = false
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await opened.close()
})

async function judge(src: string): Promise<ImageVerdict> {
  tried.push(src)
  while (isSlow && src.includes('slow')) await sleep(20)
  if (away.has(new URL(src).host)) {
    return { accepted: false, code: 'SOURCE_UNAVAILABLE', message: 'no answer', isAway: true }
  }
  return src.includes('bad') ? { accepted: false, code: 'NOT_AN_IMAGE', message: 'no picture' } : { accepted: true }
}

function start(limits: Partial<TurnLimits> = {}, pace = SOON): () => Promise<void> {
  const worker = startWorking(() => opened.store, visibleModeration(judge), limits, { pace })
  stops.push(() => worker.stop(0))
  return () => worker.stop(0)
}

const here = (name: string): Asset => ({ type: 'image', src: `https://here.test/${name}.jpg` })
const late = (name: string): Asset => ({ type: 'image', src: `https://away.test/${name}.jpg` })

/** Uploads one vehicle; gives its job when it is completed. */
async function upload(assets: Asset[], vehicle: object = {}, clientId = 'uploader'): Promise<JobRecord> {
  const id = randomUUIDv7()
  const fresh = { id, clientId, clientUid: clientId, createdAt: new Date(), moderateImages: true }
  await opened.store.jobs.create(newJob(fresh))
  const text = JSON.stringify(batch([item('v1', { assets, vehicle })]))
  await opened.store.queue.publish(id, text, { clientId, clientUid: clientId, replays: 0 })
  return waitFor('the job', async () => {
    const record = (await opened.store.jobs.read(clientId, id))?.record
    return record?.status === 'completed' && record
  })
}

const vehicle = async (clientId = 'uploader') => (await opened.store.vehicles.read(clientId, 'v1'))!
const waiting = async () => (await opened.store.manager.streams.info(LATE_PICTURES)).state.messages
const nothingWaits = () => waitFor('the end of all late pictures', async () => (await waiting()) === 0)

test('the job says that a picture is late; its vehicle has the other pictures now, and this one, in its place, once it is judged', async () => {
  start()
  const assets = [
    late('1'),
    here('2'),
    here('bad'),
    late('3'),
    { type: 'video', src: 'https://here.test/4' },
    late('bad'),
    late('5'),
  ]
  const logo = { powered_by_logo_src: 'https://away.test/logo.png' }
  const job = await upload(assets, logo)
  expect(job).toMatchObject({ counts: { accepted: 1, rejected: 0 } })
  expect(job.errors.map(({ path, code }) => `${path} ${code}`)).toEqual([
    '/items/0/vehicle/powered_by_logo_src PICTURE_LATE',
    '/items/0/assets/0/src PICTURE_LATE',
    '/items/0/assets/2/src NOT_AN_IMAGE',
    ...[3, 5, 6].map((at) => `/items/0/assets/${at}/src PICTURE_LATE`),
  ])
  const before = await vehicle()
  expect(before).toMatchObject({ assets_left_out: [0, 2, 3, 5, 6], item: { assets: [assets[1], assets[4]] } })
  const inBatch = tried.length
  await waitFor('a further try that finds the source away', () => tried.length > inBatch)
  expect((await vehicle()).item).toEqual(before.item)
  away.clear()
  await nothingWaits()
  const after = await vehicle()
  expect(after.item.assets).toEqual([0, 1, 3, 4, 6].map((at) => assets[at]))
  expect(after.item.vehicle).toMatchObject(logo)
  expect([after.order, after.assets_left_out]).toEqual([before.order, undefined])
  expect(await opened.store.jobs.read(job.client_id, job.id)).toMatchObject({ record: job })
})

test('after the last try of a picture its vehicle no longer says that one is late', async () => {
  start({}, { ...SOON, keptMs: 2_000 })
  const assets = [here('1'), late('2')]
  await upload(assets)
  const before = await vehicle()
  expect(before.assets_left_out).toEqual([1])
  const inBatch = tried.length
  await nothingWaits()
  expect(tried.length).toBeGreaterThan(inBatch + 1)
  const after = await vehicle()
  expect([after.order, after.item, after.assets_left_out]).toEqual([before.order, before.item, undefined])
})

test('pictures that are back are added at once, while those of another source stay late', async () => {
  away.add('other.test')
  start()
  const assets = [{ src: 'https://other.test/1.jpg' }, late('2'), { src: 'https://other.test/3.jpg' }]
  await upload(assets)
  away.delete('away.test')
  await waitFor('the first', async () => (await vehicle()).item.assets?.length === 1)
  expect(await vehicle()).toMatchObject({ item: { assets: [assets[1]] }, assets_left_out: [0, 2] })
  away.clear()
  await nothingWaits()
  expect((await vehicle()).item.assets).toEqual(assets)
})

test('a later upload of the vehicle stays as it is: late pictures of the earlier one are dropped', async () => {
  away.add('other.test')
  start()
  await upload([late('old'), here('old')])
  const later = { src: 'https://other.test/1.jpg' }
  await upload([later, here('new')])
  away.delete('away.test')
  await waitFor('the end of the earlier picture', async () => (await waiting()) === 1)
  expect((await vehicle()).item.assets).toEqual([here('new')])
  away.clear()
  await nothingWaits()
  expect((await vehicle()).item.assets).toEqual([later, here('new')])
})

test('late pictures outlive their worker and a killed server', async () => {
  const stop = start()
  await upload([late('1')])
  await stop()
  await opened.nats.kill()
  await opened.nats.start()
  await waitFor(
    'the store',
    () =>
      waiting().then(
        (count) => count === 1,
        () => false,
      ),
    { timeoutMs: 20_000 },
  )
  away.clear()
  start()
  await nothingWaits()
  expect((await vehicle()).item.assets).toEqual([late('1')])
})

test('a late picture that takes long holds no place: with one place for all, other batches go on', async () => {
  start({ running: 1 })
  await upload([late('slow')])
  isSlow = true
  away.clear()
  const inBatch = tried.length
  await waitFor('the late picture', () => tried.length > inBatch)
  expect(await upload([], {}, 'other')).toMatchObject({ counts: { accepted: 1 } })
  isSlow = false
  await nothingWaits()
  expect((await vehicle()).item.assets).toEqual([late('slow')])
})

test('a client has a bounded number of vehicles with late pictures; beyond it a picture is refused, and other clients go on', async () => {
  const { latePictures, manager } = opened.store
  const order = { sequence: 1, index: 0, run: 1 }
  const of = (client: string, id: string): LateVehicle => {
    const pictures = [{ position: 0, asset: late('1') }]
    return { client_id: client, source_id: id, job_id: 'job', order, pictures }
  }
  await inParallel(
    64,
    Array.from({ length: MOST_LATE_OF_ONE }, (_, n) => `v${n + 2}`),
    async (id) => void (await latePictures.keep(of('uploader', id))),
  )
  expect(await latePictures.keep(of('uploader', 'more'))).toBe(false)
  expect(await latePictures.keep(of('other', 'x'.repeat(70_000)))).toBe(false)
  expect(await latePictures.keep(of('other', 'v2'))).toBe(true)
  const { config, state } = await manager.streams.info(LATE_PICTURES)
  expect([state.messages, config.max_age]).toEqual([MOST_LATE_OF_ONE + 1, 24 * 3_600 * 1e9])
  start()
  expect(await upload([late('1')])).toMatchObject({ errors: [{ code: 'SOURCE_UNAVAILABLE' }] })
  expect(await vehicle()).not.toHaveProperty('assets_left_out')
  expect(await upload([late('1')], {}, 'third')).toMatchObject({ errors: [{ code: 'PICTURE_LATE' }] })
})

test('a later upload that is never stored takes nothing from the late picture of the stored vehicle', async () => {
  const stop = start()
  await upload([late('1')])
  await stop()
  const { latePictures, manager } = opened.store
  const { order: before } = await vehicle()
  const order = { ...before, sequence: before.sequence + 1 }
  const attempt = { client_id: 'uploader', job_id: 'job', order, pictures: [{ position: 0, asset: late('2') }] }
  const ids = Array.from({ length: MOST_LATE_OF_ONE - 1 }, (_, n) => `v${n + 2}`)
  await inParallel(64, ids, async (id) => void (await latePictures.keep({ ...attempt, source_id: id })))
  await latePictures.keep({ ...attempt, source_id: 'v1' })
  const { first_seq: first } = (await manager.streams.info(LATE_PICTURES)).state
  for (let seq = first + 1; (await waiting()) > 1; seq += 1) {
    await manager.streams.deleteMessage(LATE_PICTURES, seq, false).catch(() => undefined)
  }
  away.clear()
  start()
  await waitFor('the picture', async () => (await vehicle()).item.assets?.length === 1)
  expect((await vehicle()).item.assets).toEqual([late('1')])
})

test(
  'while its source is away, the worker program is killed; the next one adds the picture',
  { timeout: 180_000 },
  async () => {
    const picture = await photograph().jpeg().toBuffer()
    let isAway = true
    const source = await startSource(
      (_, response) => void response.writeHead(isAway ? 503 : 200).end(isAway ? '' : picture),
    )
    stops.push(() => source.close())
    const directory = temporaryDirectory('late-pictures')
    const env = {
      NATS_URL: asUser(opened.nats.url, 'worker'),
      NATS_STORE_MEGABYTES: '1024',
      IMAGE_ALLOWED_ADDRESSES: '127.0.0.1',
    }
    const worker = await startProgram({ name: 'worker', entry: 'worker/main.ts', directory: directory.path, env })
    stops.push(async () => {
      await worker.stop()
      directory.remove()
    })
    const asset = { src: `${source.url}/1.jpg` }
    expect(await upload([asset])).toMatchObject({ errors: [{ code: 'PICTURE_LATE' }] })
    await worker.killAndStart()
    isAway = false
    await waitFor('the picture', async () => (await vehicle()).item.assets?.length === 1, { timeoutMs: 120_000 })
    expect((await vehicle()).item.assets).toEqual([asset])
    await nothingWaits()
  },
)
