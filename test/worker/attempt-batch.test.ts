import { randomUUIDv7 } from 'node:crypto'
import { JetStreamApiError } from '@nats-io/jetstream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Batch } from '../../inventory/batch.ts'
import type { DeadLetter } from '../../inventory/dead-letters.ts'
import { toBatch } from '../../inventory/batch-queue.ts'
import { newJob, type ImageModeration } from '../../inventory/job.ts'
import { replay } from '../../inventory/replay.ts'
import { createLog } from '../../runtime/log.ts'
import { attemptBatch, MOST_ATTEMPTS } from '../../worker/batches/attempt-batch.ts'
import { batchTurns } from '../../worker/batches/moderate-images.ts'
import { rememberVerdicts } from '../../worker/moderation/images/remember-verdicts.ts'
import type { ImageVerdict, Moderation } from '../../worker/moderation/types.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { batch, item } from '../inventory/uploads.ts'
import { visibleModeration } from './working.ts'

let opened: OpenedStore
beforeAll(async () => void (opened = await openedStore()))
afterAll(() => opened.close())

const lines: { jobId?: string; msg: string }[] = []
const log = createLog({ name: 'test' }, { write: (line: string) => void lines.push(JSON.parse(line)) })

/** Stores a batch as the API does; gives its job and its place in the stream. */
async function accepted(content: unknown): Promise<{ id: string; sequence: number }> {
  const id = randomUUIDv7()
  const { jobs, queue, manager } = opened.store
  await jobs.create(newJob({ id, clientId: 'uploader', clientUid: 'u1', createdAt: new Date(), moderateImages: true }))
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  await queue.publish(id, text, { clientId: 'uploader', clientUid: 'u1', replays: 0 })
  return { id, sequence: (await manager.streams.info('BATCHES')).state.last_seq }
}

const of = (sourceId: string, odometer: number): Batch => batch([item(sourceId, { vehicle: { odometer } })]) as Batch

const handle = async (
  sequence: number,
  moderation: Moderation = visibleModeration(),
  signal = new AbortController().signal,
) =>
  attemptBatch(await queuedAt(sequence), {
    store: opened.store,
    moderation,
    log,
    signal,
    turns: batchTurns(),
    place: { leave: () => true, comeBack: async () => undefined },
  })

async function queuedAt(sequence: number) {
  const found = (await opened.store.manager.streams.getMessage('BATCHES', { seq: sequence }))!
  return toBatch(found, found.header)
}

const odometer = async (sourceId: string) =>
  (await opened.store.vehicles.read('uploader', sourceId))?.item.vehicle['odometer']

const job = async (id: string) => (await opened.store.jobs.read('uploader', id))?.record

const broken = visibleModeration(() => Promise.reject(new Error('the classifier is gone')))
const withPicture = (sourceId: string) =>
  batch([item(sourceId, { assets: [{ src: 'https://img.test/1.jpg' }] }), item(`${sourceId}-other`)])

/** While a picture is judged, another attempt begins; then the picture goes on as it is told. */
let current = ''
const losing = (goOn: () => Promise<unknown>): Moderation =>
  visibleModeration(async () => {
    const { record } = (await opened.store.jobs.read('uploader', current))!
    await opened.store.jobs.begin(record)
    await goOn()
    return { accepted: true }
  })

const letterOf = async (id: string) => (await opened.store.deadLetters.list()).find(({ jobId }) => jobId === id)

/** A batch whose every attempt failed, as a dead letter. */
async function givenUp(sourceId: string): Promise<DeadLetter> {
  const { sequence, id } = await accepted(withPicture(sourceId))
  for (let attempt = 0; attempt <= MOST_ATTEMPTS; attempt += 1) await handle(sequence, broken)
  return (await letterOf(id))!
}

test('two batches of one vehicle end with the later, also when the later is worked on first', async () => {
  const [first, second] = [await accepted(of('v1', 1)), await accepted(of('v1', 2))]
  await handle(second.sequence)
  await handle(first.sequence)
  expect(await odometer('v1')).toBe(2)
  expect(await job(first.id)).toMatchObject({ status: 'completed', counts: { accepted: 1, rejected: 0 } })
})

test('a batch that is worked on by two workers at once is completed by one of them', async () => {
  const { sequence, id } = await accepted(of('v2', 1))
  const outcomes = await Promise.all([handle(sequence), handle(sequence), handle(sequence)])
  expect(outcomes.filter(({ why }) => why === 'completed')).toHaveLength(1)
  expect(outcomes.map(({ end }) => end)).not.toContain('nak')
  expect(await handle(sequence)).toEqual({ end: 'ack', why: 'already completed' })
  expect(await job(id)).toMatchObject({ status: 'completed', counts: { accepted: 1, rejected: 0 } })
})

test('an attempt that lost its batch to the next one says nothing, however it ends', async () => {
  const full = new JetStreamApiError({ code: 503, err_code: 10077, description: 'no room' })
  const stopping = new AbortController()
  const endings: [Moderation, AbortSignal?][] = [
    [losing(async () => ({ accepted: true }))],
    [losing(() => Promise.reject(new Error('the classifier is gone')))],
    [losing(() => Promise.reject(full))],
    [losing(async () => stopping.abort(new Error('the worker is stopping'))), stopping.signal],
  ]
  for (const [index, [moderation, signal]] of endings.entries()) {
    const { sequence, id } = await accepted(withPicture(`f${index}`))
    current = id
    expect(await handle(sequence, moderation, signal)).toEqual({ end: 'none', why: 'another attempt has begun' })
    expect(await job(id)).toMatchObject({ status: 'processing', attempts: 2 })
    expect(await job(id)).not.toHaveProperty('last_failure')
  }
})

test('a completed job never changes, whatever is delivered again', async () => {
  const { sequence, id } = await accepted(of('v3', 1))
  await handle(sequence)
  const before = await opened.store.jobs.read('uploader', id)
  await handle(sequence, broken)
  expect(await opened.store.jobs.read('uploader', id)).toEqual(before)
})

test('an attempt that fails is tried again later and later, and the sixth delivery makes it a dead letter', async () => {
  const { sequence, id } = await accepted(withPicture('v4'))
  const delays: unknown[] = []
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) delays.push(await handle(sequence, broken))
  expect(delays.map((outcome) => (outcome as { afterMs?: number }).afterMs)).toEqual([1e3, 4e3, 16e3, 60e3, 60e3])
  expect(await job(id)).toMatchObject({ status: 'processing', attempts: MOST_ATTEMPTS })
  expect(await handle(sequence, broken)).toEqual({ end: 'ack', why: 'dead letter' })
  const letter = await letterOf(id)
  expect(letter).toMatchObject({ jobId: id, clientId: 'uploader', sequence })
  expect(letter?.reason).toBe('given up after 5 attempts: the classifier is gone')
  expect(await job(id)).toMatchObject({
    ...{ status: 'completed', counts: { accepted: 0, rejected: 2 } },
    errors: [
      { index: 0, path: '/items/0', code: 'NOT_PROCESSED' },
      { index: 1, path: '/items/1', code: 'NOT_PROCESSED' },
    ],
  })
})

test('a further attempt judges only the pictures that have no verdict yet', async () => {
  const src = (name: string) => `https://img.test/${name}.jpg`
  const asked: string[] = []
  let isBroken = true
  const judge = async (each: string): Promise<ImageVerdict> => {
    asked.push(each)
    if (each === src('last') && isBroken) throw new Error('the classifier is gone')
    if (each === src('away')) return { accepted: false, code: 'SOURCE_UNAVAILABLE', message: 'away', isAway: true }
    return each === src('bad') ? { accepted: false, code: 'NOT_AN_IMAGE', message: 'no picture' } : { accepted: true }
  }
  const { content, images } = visibleModeration(judge)
  const moderation = { content, images: rememberVerdicts(images) }
  const names = ['good', 'bad', 'away', 'last']
  const body = batch([item('m1', { assets: names.map((name) => ({ src: src(name) })) })])
  const { sequence, id } = await accepted(body)
  expect(await handle(sequence, moderation)).toMatchObject({ end: 'nak' })
  expect(asked.splice(0)).toEqual(names.map(src))
  isBroken = false
  expect(await handle(sequence, moderation)).toMatchObject({ end: 'ack', why: 'completed' })
  expect(asked.splice(0)).toEqual([src('away'), src('last')])
  const [{ accepted: kept, rejected }] = (await job(id))!.image_moderation as [ImageModeration]
  expect([kept, rejected]).toEqual(
    [
      ['good', 'last'],
      ['bad', 'away'],
    ].map((all) => all.map((name) => ({ src: src(name) }))),
  )
  await handle((await accepted(body)).sequence, moderation)
  expect(asked).toEqual(names.map(src))
})

test('a batch from before the limit on pictures is judged whole, and its job is bounded', async () => {
  const assets = Array.from({ length: 30_000 }, (_, index) => ({ src: `https://img.test/bad${index}` }))
  const { sequence, id } = await accepted(batch([item('q1', { assets })]))
  expect(await handle(sequence)).toMatchObject({ end: 'ack', why: 'completed' })
  const { errors, image_moderation: images } = (await job(id))!
  expect(images?.[0]?.rejected).toHaveLength(30_000)
  expect(errors).toHaveLength(21)
  expect(errors[20]?.message).toMatch(/^29980 more pictures have this fault: assets 20, .*, 119, and others\. /)
})

test('a replayed dead letter keeps its place in time: what was uploaded since stays', async () => {
  const letter = await givenUp('v9')
  const later = await accepted(of('v9', 99))
  await handle(later.sequence)
  const id = await replay(letter, opened.store)
  const { state } = await opened.store.manager.streams.info('BATCHES')
  expect(await handle(state.last_seq)).toEqual({ end: 'ack', why: 'completed' })
  expect(await odometer('v9')).toBe(99)
  expect(await opened.store.vehicles.read('uploader', 'v9-other')).toMatchObject({ job_id: id })
  expect(await job(id!)).toMatchObject({ status: 'completed', counts: { accepted: 2, rejected: 0 } })
  expect([await letterOf(letter.jobId), await letterOf(id!)]).toEqual([undefined, undefined])
})

test('what an earlier attempt had stored before the batch was given up is counted as accepted', async () => {
  const { sequence, id } = await accepted(of('v5', 5))
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    await opened.store.jobs.begin(
      newJob({ id, clientId: 'uploader', clientUid: 'u1', createdAt: new Date(), moderateImages: true }),
    )
  }
  const order = { sequence, index: 0, run: 1 }
  const record = { client_id: 'uploader', source_id: 'v5', source_name: 'test', job_id: id, stored_at: '' }
  await opened.store.vehicles.store({ ...record, order, item: item('v5') })
  expect(await handle(sequence)).toEqual({ end: 'ack', why: 'dead letter' })
  expect(await job(id)).toMatchObject({ counts: { accepted: 1, rejected: 0 }, errors: [] })
})

const withAssets = (assets: unknown) => JSON.stringify({ items: [{ vehicle: { source_id: 'odd' }, assets }] })

test.each([
  ...['{"items":', 'null', '{"items":{}}', '{"items":[null]}', '{"items":[{"vehicle":{}}]}'],
  ...['', 'x'.repeat(3000)].map((id) => JSON.stringify({ items: [{ vehicle: { source_id: id } }] })),
  ...[5, {}, [null], [{ type: 5, src: 'https://img.test/a.jpg' }], ['text'], [{}]].map(withAssets),
])('a batch that cannot be read is kept and never tried again: %s', async (text) => {
  const { sequence, id } = await accepted(text)
  expect(await handle(sequence)).toEqual({ end: 'term', why: 'the batch cannot be read' })
  expect(await job(id)).toMatchObject({ status: 'completed', errors: [{ code: 'NOT_PROCESSED' }] })
})

test('of a batch that was given up, the job lists every picture as kept or left out', async () => {
  const src = (name: string) => `https://img.test/${name}.jpg`
  const assets = [{ src: src('kept') }, { src: src('bad') }, { type: 'video', src: src('video') }]
  const content = batch([item('p1', { assets }), item('p2', { assets }), item('p3')])
  const { sequence, id } = await accepted(content)
  const order = { sequence, index: 0, run: 1 }
  const record = { client_id: 'uploader', source_id: 'p1', source_name: 'test', job_id: id, stored_at: '' }
  await opened.store.vehicles.store({ ...record, order, item: item('p1', { assets: [assets[0]!, assets[2]!] }) })
  for (let attempt = 0; attempt <= MOST_ATTEMPTS; attempt += 1) await handle(sequence, broken)
  const left = [{ src: src('kept') }, { src: src('bad') }]
  expect((await job(id))?.image_moderation).toEqual([
    { job_item_id: `${id}-0`, index: 0, accepted: left.slice(0, 1), rejected: left.slice(1) },
    { job_item_id: `${id}-1`, index: 1, accepted: [], rejected: left },
  ])
})

test('what a stopping worker gives back does not count as an attempt', async () => {
  const { sequence, id } = await accepted(withPicture('v6'))
  const stopping = new AbortController()
  const slow = visibleModeration(async () => {
    stopping.abort(new Error('the worker is stopping'))
    throw stopping.signal.reason
  })
  expect(await handle(sequence, slow, stopping.signal)).toMatchObject({ end: 'nak', afterMs: 0 })
  expect(await job(id)).toMatchObject({ status: 'processing', attempts: 0 })
})

test('while the store is full a batch waits for room, and that is no attempt', async () => {
  const { sequence, id } = await accepted(batch([item('v8', { vehicle: { description: 'x'.repeat(100_000) } })]))
  const { manager } = opened.store
  const { config } = await manager.streams.info('KV_vehicles')
  await manager.streams.update('KV_vehicles', { max_bytes: 50_000 })
  expect(await handle(sequence)).toEqual({ end: 'nak', why: 'the store is full', afterMs: 30_000 })
  expect(await job(id)).toMatchObject({ status: 'processing', attempts: 0 })
  await manager.streams.update('KV_vehicles', { max_bytes: config.max_bytes })
  expect(await handle(sequence)).toEqual({ end: 'ack', why: 'completed' })
})

test('while there is no room for dead letters a hopeless batch waits, unmoderated, and is kept when there is room', async () => {
  const { sequence, id } = await accepted(of('v8-hopeless', 1))
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    await opened.store.jobs.begin((await opened.store.jobs.read('uploader', id))!.record)
  }
  const { manager } = opened.store
  const { config } = await manager.streams.info('DEAD_LETTERS')
  await manager.streams.update('DEAD_LETTERS', { max_bytes: 10 })
  expect(await handle(sequence, broken)).toEqual({ end: 'nak', why: 'the store is full', afterMs: 30_000 })
  expect(await job(id)).toMatchObject({ status: 'processing' })
  await manager.streams.update('DEAD_LETTERS', { max_bytes: config.max_bytes })
  expect(await handle(sequence, broken)).toEqual({ end: 'ack', why: 'dead letter' })
  expect(await letterOf(id)).toMatchObject({ jobId: id })
  expect(await job(id)).toMatchObject({ status: 'completed', errors: [{ code: 'NOT_PROCESSED' }] })
})

test('every line about a batch carries its job', async () => {
  const { sequence, id } = await accepted(of('v7', 1))
  lines.length = 0
  await handle(sequence)
  expect(lines.map(({ jobId, msg }) => [jobId, msg])).toEqual([
    [id, 'batch started'],
    [id, 'batch completed'],
  ])
})
