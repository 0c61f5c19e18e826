import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Batch } from '../../inventory/batch.ts'
import { batchTurns } from '../../worker/batches/moderate-images.ts'
import { moderateAndStore, NoRoomToWait, type Attempt } from '../../worker/batches/moderate-and-store.ts'
import type { ImageRequest, ImageVerdict } from '../../worker/moderation/types.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { batch, item } from '../inventory/uploads.ts'
import { visibleModeration } from './working.ts'

let opened: OpenedStore
beforeAll(async () => void (opened = await openedStore()))
afterAll(() => opened.close())

const ITEMS = 100
const PICTURES = 100

/** The largest number of pictures that a batch may have. */
const largest = (name: string): Batch => {
  const assets = Array.from({ length: PICTURES }, (_, position) => ({ src: `${name}/${position}` }))
  return batch(Array.from({ length: ITEMS }, (_, index) => item(`${name}-${index}`, { assets }))) as Batch
}

/** Pictures that get their verdicts when they are told, and what was submitted. */
function slowPictures() {
  const verdict = Promise.withResolvers<ImageVerdict>()
  const submitted: string[] = []
  let atOnce = 0
  let most = 0
  const judge = async (src: string) => {
    submitted.push(src)
    most = Math.max(most, (atOnce += 1))
    const found = await verdict.promise
    atOnce -= 1
    return found
  }
  return { judge, submitted, most: () => most, answer: () => verdict.resolve({ accepted: true }) }
}

let sequence = 0
const attempt = (name: string, rest: Partial<Attempt> = {}): Attempt => ({
  ...{ jobId: name, clientId: name, sequence: (sequence += 1), run: 1, batch: largest(name) },
  ...{ turns: batchTurns(), signal: new AbortController().signal, ...rest },
})

const quiet = () => new Promise((resolve) => setTimeout(resolve, 300))
/** So many are submitted at once: 16 of each of 8 items. */
const SUBMITTED = 128
const submitted = (pictures: { submitted: readonly string[] }, count = SUBMITTED) =>
  waitFor('the pictures', () => pictures.submitted.length >= count)
const run = (work: Attempt, judge: (src: string) => Promise<ImageVerdict>) =>
  moderateAndStore(work, visibleModeration(judge), opened.store)

test('of the ten thousand pictures of a batch, a hundred or so are submitted at once, and each gets its verdict', async () => {
  const pictures = slowPictures()
  const work = run(attempt('alone'), pictures.judge)
  await submitted(pictures)
  await quiet()
  expect(pictures.submitted).toHaveLength(SUBMITTED)
  pictures.answer()
  const { image_moderation: images } = await work
  expect(images!.map(({ accepted }) => accepted.length)).toEqual(Array.from({ length: ITEMS }, () => PICTURES))
  expect(pictures.most()).toBe(SUBMITTED)
})

test('batches of one client share that number, the first before the second, and another client has its own', async () => {
  const pictures = slowPictures()
  const turns = batchTurns()
  const shared = { turns, clientId: 'one' }
  const first = run(attempt('first', shared), pictures.judge)
  await submitted(pictures)
  const works = [
    first,
    ...[attempt('second', shared), attempt('other', { turns })].map((each) => run(each, pictures.judge)),
  ]
  await submitted(pictures, 2 * SUBMITTED)
  await quiet()
  const of = (name: string) => pictures.submitted.filter((src) => src.startsWith(name)).length
  expect([of('first'), of('second'), of('other')]).toEqual([SUBMITTED, 0, SUBMITTED])
  pictures.answer()
  const counts = (await Promise.all(works)).map((result) => result.counts.accepted)
  expect(counts).toEqual([ITEMS, ITEMS, ITEMS])
})

test('while its pictures load, a batch counts by its bytes and its pictures', async () => {
  const left: number[] = []
  const leave = (bytes: number) => left.push(bytes) === 0
  const work = run(attempt('counted', { place: { leave, comeBack: async () => undefined, bytes: 1_000 } }), () =>
    Promise.reject(new Error('not asked for')),
  )
  await expect(work).rejects.toThrow(NoRoomToWait)
  expect(left).toEqual([1_000 + ITEMS * PICTURES * 64])
})

test('so it does by the faults of its texts, which its job lists, and by the pictures of refused items', async () => {
  const left: number[] = []
  const leave = (bytes: number) => left.push(bytes) === 0
  const assets = Array.from({ length: 10 }, (_, position) => ({ src: `${position}` }))
  const refused = item('refused', { vehicle: { description: 'forbidden' }, assets })
  const place = { leave, comeBack: async () => undefined, bytes: 1_000 }
  const items = batch([refused, item('waits', { assets })]) as Batch
  const work = run(attempt('refused', { place, batch: items }), () => Promise.reject(new Error('not asked for')))
  await expect(work).rejects.toThrow(NoRoomToWait)
  const texts = '/items/0/vehicle/description'.length + 'forbidden'.length
  expect(left).toEqual([1_000 + 20 * 64 + 300 + texts])
})

test('a worker that stops leaves no picture waiting for its turn', async () => {
  const pictures = slowPictures()
  const stopping = new AbortController()
  const work = run(attempt('stopped', { signal: stopping.signal }), pictures.judge)
  await submitted(pictures)
  stopping.abort(new Error('the worker is stopping'))
  await expect(work).rejects.toThrow('the worker is stopping')
  pictures.answer()
  await quiet()
  expect(pictures.submitted.length).toBeLessThanOrEqual(2 * SUBMITTED)
})

test('an attempt that fails submits no more pictures, and leaves its turns to the next attempt', async () => {
  const turns = batchTurns()
  const failing = attempt('failing', { turns, clientId: 'one' })
  const asked: string[] = []
  const judge = async (src: string, signal: AbortSignal): Promise<ImageVerdict> => {
    asked.push(src)
    if (src.endsWith('/7')) throw new Error('the classifier is gone')
    await new Promise((resolve) => setTimeout(resolve, 20))
    signal.throwIfAborted()
    return { accepted: true }
  }
  const images = { judge: ({ src, signal }: ImageRequest) => judge(src, signal) }
  await expect(moderateAndStore(failing, { ...visibleModeration(), images }, opened.store)).rejects.toThrow(
    'the classifier is gone',
  )
  await quiet()
  expect(asked.length).toBeLessThanOrEqual(SUBMITTED)
  const pictures = slowPictures()
  const next = run(attempt('next', { turns, clientId: 'one' }), pictures.judge)
  await submitted(pictures)
  pictures.answer()
  expect((await next).counts.accepted).toBe(ITEMS)
})

test('where more pictures of one client are fetched at once, as many items of one picture are judged at once', async () => {
  const pictures = slowPictures()
  const items = Array.from({ length: 50 }, (_, index) => item(`one-${index}`, { assets: [{ src: `${index}` }] }))
  const work = run(attempt('wide', { turns: batchTurns(32), batch: batch(items) as Batch }), pictures.judge)
  await submitted(pictures, 32)
  await quiet()
  expect(pictures.submitted).toHaveLength(32)
  pictures.answer()
  expect((await work).counts.accepted).toBe(50)
})
