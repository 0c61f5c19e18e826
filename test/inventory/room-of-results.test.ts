import { randomUUIDv7 } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newJob } from '../../inventory/job.ts'
import { roomIn } from '../../inventory/room.ts'
import { batchSubject } from '../../inventory/storage.ts'
import { startWorking } from '../worker/working.ts'
import { MEGABYTE, startSmallInventory, type SmallInventory } from './small-inventory.ts'
import { batch, completed, item } from './uploads.ts'

let small: SmallInventory
beforeEach(async () => void (small = await startSmallInventory()))
afterEach(() => small.close())

/** A batch of 0.6 MB whose job lists as much, and has errors of 0.2 MB when all its pictures are refused. */
const ofPictures = (name: string) => {
  const assets = Array.from({ length: 100 }, (_, at) => ({ src: `${'x'.repeat(190)}-bad-${at}` }))
  return batch(Array.from({ length: 30 }, (_, at) => item(`${name}-${at}`, { assets })))
}

test('uploads of one moment are admitted as far as their jobs have room, and each of them ends', async () => {
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, at) => small.upload('uploader', ofPictures(`b${at}`))),
  )
  const accepted = answers
    .filter(({ status }) => status === 201)
    .map((answer) => (answer.body as { job_id: string }).job_id)
  // Half of nine tenths of 6.4 MB: the rest is for others.
  expect(accepted).toHaveLength(5)
  expect(await small.messages('BATCHES')).toBe(5)
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(11)
  expect(await small.upload('other', batch([item('small')]))).toMatchObject({ status: 201 })
  const working = startWorking(() => small.store)
  const jobs = await Promise.all(accepted.map((id) => completed(small.server, id)))
  for (const job of jobs) {
    const hasLists = job.errors.length > 1
    expect(job.counts).toEqual({ accepted: 30, rejected: 0 })
    expect(job.errors.map(({ code }) => code)).toEqual(
      hasLists ? Array(30 * 21).fill('NOT_AN_IMAGE') : ['LISTS_OMITTED'],
    )
    expect(job.image_moderation?.map(({ rejected }) => rejected.length)).toEqual(hasLists ? Array(30).fill(100) : [])
  }
  // Those whose errors have room, at least as many as were counted on.
  expect(jobs.filter(({ errors }) => errors.length > 1).length).toBeGreaterThanOrEqual(5)
  await working.stop(1_000)
})

/** Fills the bucket of jobs to its last bytes. */
async function fillJobs(): Promise<void> {
  const client = small.store.manager.jetstream()
  let number = 0
  for (let bytes = MEGABYTE / 2; bytes >= 20;) {
    await client
      .publish(`$KV.jobs.x.${(number += 1)}`, new Uint8Array(bytes))
      .catch(() => (bytes = Math.floor(bytes / 2)))
  }
}

test('a job that has no room for its lists is completed without them, and says so', async () => {
  const { jobs } = small.store
  const id = randomUUIDv7()
  const fresh = newJob({ id, clientId: 'uploader', clientUid: 'u1', createdAt: new Date(), moderateImages: true })
  await jobs.create(fresh)
  await fillJobs()
  const error = (code: string, index: number) => ({
    ...{ job_item_id: `${id}-${index}`, index, path: `/items/${index}`, code },
    message: 'x'.repeat(9_900),
  })
  const errors = Array.from({ length: 99 }, (_, index) => error('PROFANITY', index))
  const counts = { accepted: 0, rejected: 100 }
  const begun = (await jobs.begin(fresh))!
  const givenUp = { ...error('NOT_PROCESSED', 99), message: 'given up' }
  expect(await jobs.complete(begun, { counts, errors: [...errors, givenUp], image_moderation: [] }, new Date())).toBe(
    true,
  )
  expect((await jobs.read('uploader', id))?.record).toMatchObject({
    ...{ status: 'completed', counts, image_moderation: [] },
    errors: [{ code: 'LISTS_OMITTED', path: '/items' }, givenUp],
  })
})

test('jobs with more errors than were counted take three quarters of what may be used at most, and leave the rest to all others', async () => {
  const { jobs } = small.store
  const end = async (errorsOfItem: number) => {
    const id = randomUUIDv7()
    await jobs.create(newJob({ id, clientId: 'greedy', clientUid: 'g', createdAt: new Date(), moderateImages: true }))
    const begun = (await jobs.read('greedy', id))!
    const errors = Array.from({ length: 100 * errorsOfItem }, (_, at) => ({
      ...{ job_item_id: `${id}-${at % 100}`, index: at % 100, path: `/items/${at % 100}/${'n'.repeat(150)}` },
      ...{ code: 'MARKUP', message: 'The text has markup.' },
    }))
    const result = { counts: { accepted: 0, rejected: 100 }, errors, image_moderation: [] }
    expect(await jobs.complete(begun, result, new Date())).toBe(true)
    return (await jobs.read('greedy', id))!.record.errors.length
  }
  const written = await Promise.all(Array.from({ length: 20 }, () => end(20)))
  expect(new Set(written)).toEqual(new Set([2_000, 1]))
  expect(await small.bytes('KV_jobs')).toBeLessThan(0.75 * 0.9 * 6.4 * MEGABYTE)
  // One error of each item was counted.
  expect(await end(1)).toBe(100)
  expect(await end(20)).toBe(1)
})

test('long jobs that were counted stop before nobody is admitted, and short ones do not', async () => {
  const { jobs } = small.store
  const end = async (pictures: number) => {
    const id = randomUUIDv7()
    await jobs.create(newJob({ id, clientId: 'any', clientUid: 'a', createdAt: new Date(), moderateImages: true }))
    const accepted = Array.from({ length: pictures }, (_, at) => ({ src: `https://h.test/${'x'.repeat(980)}${at}` }))
    const image_moderation = [{ job_item_id: `${id}-0`, index: 0, accepted, rejected: [] }]
    const result = { counts: { accepted: 1, rejected: 0 }, errors: [], image_moderation }
    expect(await jobs.complete((await jobs.read('any', id))!, result, new Date())).toBe(true)
    return (await jobs.read('any', id))!.record.errors.map(({ code }) => code).join()
  }
  const written = await Promise.all(Array.from({ length: 30 }, () => end(300)))
  expect(new Set(written)).toEqual(new Set(['', 'LISTS_OMITTED']))
  // Nine tenths are what uploads are admitted to.
  expect(await small.bytes('KV_jobs')).toBeLessThan(0.89 * 6.4 * MEGABYTE)
  expect(await small.bytes('KV_jobs')).toBeGreaterThan(0.8 * 6.4 * MEGABYTE)
  expect(await end(300)).toBe('LISTS_OMITTED')
  expect(await end(30)).toBe('')
})

test('a job that is longer than a message is completed without its lists', async () => {
  const { jobs } = small.store
  const id = randomUUIDv7()
  const fresh = newJob({ id, clientId: 'uploader', clientUid: 'u1', createdAt: new Date(), moderateImages: false })
  const about = { job_item_id: `${id}-0`, index: 0, path: `/items/0/${'x'.repeat(5 * MEGABYTE)}` }
  const errors = [{ ...about, code: 'MARKUP', message: 'The text has markup.' }]
  const begun = (await jobs.begin(fresh))!
  expect(await jobs.complete(begun, { counts: { accepted: 0, rejected: 1 }, errors }, new Date())).toBe(true)
  expect((await jobs.read('uploader', id))?.record.errors).toMatchObject([{ code: 'LISTS_OMITTED' }])
})

test('what was admitted counts until a reading shows that it is processed', async () => {
  let now = 1_000
  const room = roomIn(
    small.store.manager,
    async () => undefined,
    () => now,
  )
  const upload = (stored: Promise<string | undefined>) => {
    const needs = { batch: 1_000, vehicles: 1_500, job: 4 * MEGABYTE }
    return room.refusal({ clientId: 'uploader', clientUid: 'u1', hasKey: false, needs, sourceIds: [], stored })
  }
  const noRoom = 'There is no room for more jobs; try again.'
  expect(await upload(Promise.resolve('job'))).toBeUndefined()
  expect(await upload(Promise.resolve('job'))).toBe(noRoom)
  now += 200
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  expect(await upload(promise)).toBeUndefined()
  now += 2_000
  expect(await upload(Promise.resolve('job'))).toBe(noRoom)
  // The batch never came into the queue.
  resolve(undefined)
  expect(await upload(Promise.resolve('waits'))).toBeUndefined()
  const client = small.store.manager.jetstream()
  await client.publish(batchSubject('uploader', 'waits'), '{}')
  now += 2_000
  expect(await upload(Promise.resolve('more'))).toBe(noRoom)
  // It is processed, and what another client sent waits.
  await small.store.manager.streams.purge('BATCHES')
  await client.publish(batchSubject('other', 'waits'), '{}')
  now += 2_000
  expect(await upload(Promise.resolve('more'))).toBeUndefined()
})
