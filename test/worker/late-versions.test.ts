import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Asset } from '../../inventory/batch.ts'
import type { ImageVerdict } from '../../worker/moderation/types.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { item } from '../inventory/uploads.ts'
import { completedUpload, noLatePictures } from './late-uploads.ts'
import { SOON, startWorking, visibleModeration } from './working.ts'

let opened: OpenedStore
let away: Set<string>
const stops: (() => Promise<void>)[] = []
beforeEach(async () => {
  opened = await openedStore()
  away = new Set()
})
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await opened.close()
})

async function judge(src: string): Promise<ImageVerdict> {
  if (away.has(new URL(src).host)) {
    return { accepted: false, code: 'SOURCE_UNAVAILABLE', message: 'no answer', isAway: true }
  }
  return src.includes('bad') ? { accepted: false, code: 'NOT_AN_IMAGE', message: 'no picture' } : { accepted: true }
}

function start(pace = SOON): void {
  const worker = startWorking(() => opened.store, visibleModeration(judge), {}, { pace })
  stops.push(() => worker.stop(0))
}

const upload = (assets: Asset[], options?: object) => completedUpload(opened.store, item('v1', { assets }), options)

const vehicle = async () => (await opened.store.vehicles.read('uploader', 'v1'))!
const nothingWaits = () => noLatePictures(opened.store)

const at = (host: string, name: string): string => `https://${host}.test/${name}.jpg`
const image = (name: string, further: object = {}): Asset => ({ type: 'image', src: at('a', name), ...further })

test('an asset with one more address stays as it was stored while a source is away, and is replaced once it is judged', async () => {
  start()
  const before = [image('1', { order: 0 }), image('2', { order: 1, thumbnail: at('a', '2-small') }), image('3')]
  await upload(before)
  away.add('a.test')
  const [two, one, four, three] = [
    image('2', { order: 0, thumbnail: at('a', '2-new'), sizes: [at('a', '2-small')] }),
    image('1', { order: 1, alt: 'front', thumbnail: at('a', '1-new') }),
    image('4'),
    image('3', { alt: 'rear' }),
  ]
  const job = await upload([two, one, four, three])
  expect((await vehicle()).item.assets).toEqual([{ ...before[1], order: 0 }, { ...before[0], order: 1 }, three])
  expect(await vehicle()).toMatchObject({ assets_left_out: [2], assets_as_before: [0, 1] })
  expect(job.errors.map(({ path, code }) => `${path} ${code}`)).toEqual([
    '/items/0/assets/0 PICTURE_LATE',
    '/items/0/assets/1 PICTURE_LATE',
    '/items/0/assets/2/src PICTURE_LATE',
  ])
  expect(job.image_moderation![0]!.rejected).toEqual(['2-new', '1-new', '4'].map((name) => ({ src: at('a', name) })))
  away.clear()
  await nothingWaits()
  const after = await vehicle()
  expect(after.item.assets).toEqual([two, one, four, three])
  expect(after).not.toHaveProperty('assets_left_out')
  expect(after).not.toHaveProperty('assets_as_before')
})

test('a picture whose source answers stays too, while the further address of its asset is away', async () => {
  start()
  await upload([image('1')])
  away.add('b.test')
  const sent = [image('1', { thumbnail: at('b', '1') }), image('2', { thumbnail: at('b', '2') })]
  await upload(sent)
  expect((await vehicle()).item.assets).toEqual([image('1')])
  away.clear()
  await nothingWaits()
  expect((await vehicle()).item.assets).toEqual(sent)
})

test('an asset whose new address is refused is removed, at the upload or after it was late; one whose source never answers stays', async () => {
  start({ ...SOON, keptMs: 3_000 })
  await upload([image('1'), image('2'), image('3')])
  away.add('b.test').add('c.test')
  const three = image('3', { thumbnail: at('b', '3') })
  const sent = [image('1', { thumbnail: at('b', 'bad') }), image('2', { thumbnail: at('c', '2') }), three]
  await upload(sent)
  expect((await vehicle()).item.assets).toEqual([image('1'), image('2'), image('3')])
  away.delete('b.test')
  await waitFor('the verdicts', async () => (await vehicle()).assets_as_before?.length === 1)
  expect(await vehicle()).toMatchObject({
    ...{ assets_left_out: [0], assets_as_before: [1] },
    item: { assets: [image('2'), three] },
  })
  await nothingWaits()
  const after = await vehicle()
  expect(after.item.assets).toEqual([image('2'), three])
  expect(after).not.toHaveProperty('assets_as_before')
  away.add('b.test').delete('c.test')
  await upload([image('2', { thumbnail: at('c', 'bad'), large: at('b', '2') }), three])
  expect((await vehicle()).item.assets).toEqual([three])
})

test('an asset with a refused address is removed at once, and so is one that was stored unjudged or as a video', async () => {
  start()
  await upload([image('1'), image('2', { type: 'video' })])
  away.add('b.test')
  const thumbnail = at('b', 'new')
  await upload([image('1', { thumbnail, large: at('a', 'bad') }), image('2', { thumbnail })])
  expect((await vehicle()).item.assets).toEqual([])
  await upload([image('1')], { moderate_images: false })
  await upload([image('1', { thumbnail })])
  expect((await vehicle()).item.assets).toEqual([])
})

test('where there is no room for a late picture, the asset stays as it was stored', async () => {
  start()
  await upload([image('1')])
  away.add('b.test')
  const keep = opened.store.latePictures.keep
  opened.store.latePictures.keep = async () => false
  const job = await upload([image('1', { thumbnail: at('b', '1'), placement: at('b', '2') })])
  opened.store.latePictures.keep = keep
  expect(job.errors.map(({ code }) => code)).toEqual(['SOURCE_UNAVAILABLE', 'SOURCE_UNAVAILABLE'])
  expect((await vehicle()).item.assets).toEqual([image('1')])
  expect(await vehicle()).not.toHaveProperty('assets_as_before')
})

test('the late pictures of a vehicle that was removed end at their next try', async () => {
  start()
  away.add('a.test')
  await upload([image('1')])
  await opened.store.vehicles.remove('uploader', 'v1')
  await nothingWaits()
  expect(await opened.store.vehicles.read('uploader', 'v1')).toBeUndefined()
})

test('each stored asset stands for one asset of the upload, however many have its address', async () => {
  start()
  const note = 'n'.repeat(10_000)
  await upload([image('1', { note }), image('1', { alt: 'again' })])
  away.add('b.test')
  await upload(Array.from({ length: 20 }, (_, n) => image('1', { thumbnail: at('b', `${n}`) })))
  const { item, assets_as_before: asBefore, assets_left_out: leftOut } = await vehicle()
  expect([item.assets, asBefore, leftOut?.length]).toEqual([
    [image('1', { note }), image('1', { alt: 'again' })],
    [0, 1],
    18,
  ])
})

test('assets as they were before that are too long together are left out until their sources are back', async () => {
  start()
  const names = ['1', '2', '3']
  await upload(names.map((name) => image(name, { note: name.repeat(100_000) })))
  away.add('b.test')
  await upload(names.map((name) => image(name, { thumbnail: at('b', name) })))
  expect(await vehicle()).toMatchObject({ assets_as_before: [0, 1], assets_left_out: [2] })
  away.clear()
  await nothingWaits()
  expect((await vehicle()).item.assets).toHaveLength(3)
})

test('assets as they were before make a vehicle no longer than it was, or than its upload', async () => {
  start()
  await upload([image('1', { note: 'n'.repeat(50_000) })])
  away.add('b.test')
  const note = 't'.repeat(50_000)
  await upload([image('1', { thumbnail: at('b', '1') }), image('2', { note })])
  expect(await vehicle()).toMatchObject({ assets_left_out: [0], item: { assets: [image('2', { note })] } })
  away.clear()
  await nothingWaits()
  expect((await vehicle()).item.assets).toHaveLength(2)
})
