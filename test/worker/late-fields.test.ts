import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Item } from '../../inventory/batch.ts'
import { jobBytes } from '../../inventory/job-bytes.ts'
import type { JobRecord } from '../../inventory/job.ts'
import { framesOf } from '../../inventory/vehicle-record.ts'
import type { ImageVerdict } from '../../worker/moderation/types.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { item } from '../inventory/uploads.ts'
import { completedUpload, noLatePictures } from './late-uploads.ts'
import { startWorking, visibleModeration } from './working.ts'

let opened: OpenedStore
let away: Set<string>
let stop: () => Promise<void>
beforeEach(async () => {
  opened = await openedStore()
  away = new Set()
  const working = startWorking(() => opened.store, visibleModeration(judge))
  stop = () => working.stop(0)
})
afterEach(async () => {
  await stop()
  await opened.close()
})

async function judge(src: string): Promise<ImageVerdict> {
  if (away.has(new URL(src).host)) {
    return { accepted: false, code: 'SOURCE_UNAVAILABLE', message: 'no answer', isAway: true }
  }
  return src.includes('bad') ? { accepted: false, code: 'NOT_AN_IMAGE', message: 'no picture' } : { accepted: true }
}

const upload = (sent: Item) => completedUpload(opened.store, sent)
const vehicle = async () => (await opened.store.vehicles.read('uploader', 'v1'))!
const nothingWaits = () => noLatePictures(opened.store)
const codes = ({ errors }: JobRecord) => errors.map(({ path, code }) => `${path.slice('/items/0'.length)} ${code}`)
const at = (host: string, name: string): string => `https://${host}.test/${name}.jpg`

test('a picture in a field of the sender’s own is tried again while its source is away, and is added in its place', async () => {
  away.add('a.test').add('b.test')
  const images = [
    { src: at('a', '0'), alt: 'front' },
    { src: at('c', 'bad') },
    { src: at('b', '2') },
    { src: at('c', '3'), options: [{ name: 'x', icon: at('b', 'x') }, { icon: at('c', 'y') }] },
    { src: at('a', '4-bad') },
    { src: at('a', '5'), thumb: at('a', '5-small') },
  ]
  const vehicleFields = { image_src: at('a', 'v'), photos: [at('a', 'p'), at('c', 'q'), at('b', 'r')] }
  const sent = { ...item('v1', { assets: [{ src: at('c', '1') }], vehicle: vehicleFields }), images } as Item
  const job = await upload(sent)
  expect(codes(job)).toEqual([
    '/vehicle/image_src PICTURE_LATE',
    ...['/vehicle/photos/0 PICTURE_LATE', '/vehicle/photos/2 PICTURE_LATE'],
    ...['/images/0/src PICTURE_LATE', '/images/1/src NOT_AN_IMAGE', '/images/2/src PICTURE_LATE'],
    ...['/images/3/options/0/icon PICTURE_LATE', '/images/4/src PICTURE_LATE'],
    ...['/images/5/src PICTURE_LATE', '/images/5/thumb PICTURE_LATE'],
  ])
  const before = await vehicle()
  const three = { ...images[3], options: [{ name: 'x' }, images[3]!.options![1]] }
  expect(before.item).toMatchObject({ images: [three], vehicle: { photos: [at('c', 'q')] }, assets: sent.assets })
  expect(before.item.vehicle).not.toHaveProperty('image_src')
  away.delete('a.test')
  await waitFor('the first', async () => 'image_src' in (await vehicle()).item.vehicle)
  expect((await vehicle()).item).toMatchObject({
    images: [images[0], three, images[5]],
    vehicle: { ...vehicleFields, photos: vehicleFields.photos.slice(0, 2) },
  })
  away.clear()
  await nothingWaits()
  const after = await vehicle()
  expect(after.item).toEqual({ ...sent, images: [0, 2, 3, 5].map((n) => images[n]) })
  expect(after).not.toHaveProperty('fields_left_out')
  expect([after.order, after.job_id]).toEqual([before.order, before.job_id])
})

test('a field with a refused picture is not tried again, nor one that is too long to be kept beside late assets', async () => {
  away.add('a.test')
  const images = [
    { src: at('a', '0'), thumb: at('c', 'bad') },
    { src: at('a', '1'), note: 'n'.repeat(30_000) },
  ]
  const sent = { ...item('v1', { assets: [{ src: at('a', '1-asset') }] }), images } as Item
  expect(codes(await upload(sent))).toEqual([
    '/images/0/src SOURCE_UNAVAILABLE',
    '/images/0/thumb NOT_AN_IMAGE',
    '/images/1/src SOURCE_UNAVAILABLE',
    '/assets/0/src PICTURE_LATE',
  ])
  away.clear()
  await nothingWaits()
  expect((await vehicle()).item).toEqual({ ...sent, images: [] })
})

test('a text with several addresses is stored once all of its pictures are accepted, and removed when one is refused', async () => {
  away.add('a.test')
  const srcset = `${at('c', '1')} 1x, ${at('a', '2')} 2x`
  const photos = [`${at('c', '3')},${at('c', 'bad')}`, `${at('a', '4')}|${at('a', '5-bad')}`]
  const video = { type: 'video', src: 'https://c.test/v' }
  const shown = { gallery: [{ url: 'https://c.test/bad' }], media: [{ ...video, poster_url: at('c', 'bad') }] }
  const sent = { ...item('v1', { vehicle: { srcset, photos } }), ...shown } as Item
  expect(codes(await upload(sent))).toEqual([
    '/vehicle/srcset PICTURE_LATE',
    ...['/vehicle/photos/0 NOT_AN_IMAGE', '/vehicle/photos/1 PICTURE_LATE', '/vehicle/photos/1 PICTURE_LATE'],
    ...['/gallery/0/url NOT_AN_IMAGE', '/media/0/poster_url NOT_AN_IMAGE'],
  ])
  expect((await vehicle()).item.vehicle).not.toHaveProperty('srcset')
  away.clear()
  await nothingWaits()
  const left = { vehicle: { ...sent.vehicle, photos: [] }, gallery: [], media: [video] }
  expect((await vehicle()).item).toEqual({ ...sent, ...left })
})

test('fields are counted in bytes, and one that is too long leaves room for those behind it', async () => {
  away.add('a.test')
  const images = [
    { src: at('a', '0'), note: '车'.repeat(23_000) },
    { src: at('a', '1'), note: '车'.repeat(7_000) },
    { src: at('a', '2'), note: '车'.repeat(7_000) },
    { src: at('a', '3') },
  ]
  const sent = { ...item('v1', { assets: [{ src: at('a', 'asset') }] }), images } as Item
  expect(codes(await upload(sent))).toEqual([
    '/images/0/src SOURCE_UNAVAILABLE',
    '/images/1/src PICTURE_LATE',
    '/images/2/src SOURCE_UNAVAILABLE',
    '/images/3/src PICTURE_LATE',
    '/assets/0/src PICTURE_LATE',
  ])
  away.clear()
  await nothingWaits()
  expect((await vehicle()).item).toEqual({ ...sent, images: [images[1], images[3]] })
})

test('long names of fields around late pictures make the record of a vehicle no longer than was counted for it', async () => {
  away.add('a.test')
  const fieldsOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`pic${n}`, at('a', `${n}`)]))
  for (const [name, code] of [
    ['n'.repeat(15_000), 'SOURCE_UNAVAILABLE'],
    ['n'.repeat(30), 'PICTURE_LATE'],
  ] as const) {
    const sent = { ...item('v1', { assets: [] }), [name]: fieldsOf(80) } as Item
    const job = await upload(sent)
    expect(new Set(job.errors.map((each) => each.code))).toEqual(new Set([code]))
    const { leftOut } = jobBytes({ source_name: 'test', items: [sent] })
    const counted =
      JSON.stringify(sent).length + framesOf({ clientId: 'uploader', sourceName: 'test', sourceIds: ['v1'] })
    expect(JSON.stringify(await vehicle()).length).toBeLessThan(counted + leftOut)
    expect(leftOut).toBeLessThan(5_000)
    if (code === 'PICTURE_LATE') expect((await vehicle()).fields_left_out).toHaveLength(80)
  }
})
