import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Batch } from '../../inventory/batch.ts'
import { itemTurns } from '../../worker/batches/moderate-images.ts'
import { moderateAndStore, NoRoomToWait, type Attempt } from '../../worker/batches/moderate-and-store.ts'
import type { ImageVerdict } from '../../worker/moderation/types.ts'
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
  ...{ turns: itemTurns(), signal: new AbortController().signal, ...rest },
})

const quiet = () => new Promise((resolve) => setTimeout(resolve, 300))
const run = (work: Attempt, judge: (src: string) => Promise<ImageVerdict>) =>
  moderateAndStore(work, visibleModeration(judge), opened.store)

test('of the ten thousand pictures of a batch, a hundred or so are submitted at once, and each gets its verdict', async () => {
  const pictures = slowPictures()
  const work = run(attempt('alone'), pictures.judge)
  await quiet()
  expect(pictures.submitted.length).toBeGreaterThan(24)
  expect(pictures.submitted.length).toBeLessThanOrEqual(128)
  pictures.answer()
  const { image_moderation: images } = await work
  expect(images!.map(({ accepted }) => accepted.length)).toEqual(Array.from({ length: ITEMS }, () => PICTURES))
  expect(pictures.most()).toBeLessThanOrEqual(128)
})

test('batches of one client share that number, the first before the second, and another client has its own', async () => {
  const pictures = slowPictures()
  const turns = itemTurns()
  const shared = { turns, clientId: 'one' }
  const works = [attempt('first', shared), attempt('second', shared), attempt('other', { turns })].map((each) =>
    run(each, pictures.judge),
  )
  await quiet()
  const of = (name: string) => pictures.submitted.filter((src) => src.startsWith(name)).length
  expect([of('second'), of('other')]).toEqual([0, of('first')])
  expect(of('first')).toBeGreaterThan(24)
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

test('a worker that stops leaves no picture waiting for its turn', async () => {
  const pictures = slowPictures()
  const stopping = new AbortController()
  const work = run(attempt('stopped', { signal: stopping.signal }), pictures.judge)
  await quiet()
  stopping.abort(new Error('the worker is stopping'))
  await expect(work).rejects.toThrow('the worker is stopping')
  const submitted = pictures.submitted.length
  pictures.answer()
  await quiet()
  expect(pictures.submitted.length).toBeLessThanOrEqual(submitted + 128)
})
