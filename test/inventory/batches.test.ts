import { afterAll, beforeAll, expect, test } from 'vitest'
import { startInventory, type RunningInventory } from './running-inventory.ts'
import { batch, completed, item, jobIdOf } from './uploads.ts'

let inventory: RunningInventory
beforeAll(async () => {
  inventory = await startInventory()
})
afterAll(() => inventory.stop(5_000))

const upload = async (items: unknown[], change: object = {}) =>
  completed(inventory.server, await jobIdOf(await inventory.server.post(batch(items, change))))

const picture = (name: string) => ({
  type: 'image',
  placement: 'gallery',
  order: 1,
  src: `https://img.test/${name}.jpg`,
})

test('a batch of 100 vehicles is completed with every item counted and every vehicle in the bucket', async () => {
  const items = Array.from({ length: 100 }, (_, index) => item(`v${index}`, { assets: [picture(`p${index}`)] }))
  const job = await upload(items)
  expect(job).toMatchObject({ status: 'completed', counts: { accepted: 100, rejected: 0 }, errors: [] })
  expect(job.image_moderation).toHaveLength(100)
  const stored = await Promise.all(
    items.map((_, index) => inventory.opened.store.vehicles.read('uploader', `v${index}`)),
  )
  expect(stored.map((vehicle) => vehicle?.item)).toEqual(items)
})

test('a batch waits as the bytes that were received, and its vehicles keep every number as it was written', async () => {
  await inventory.working.stop(5_000)
  const vehicle =
    '{"source_id":"exact","dealer_ref":12345678901234567890,"range":510.50,"of":[1e2,-0,{"a":0.10}],"b":"é\\u00e9"}'
  const text = `{ "source_name": "test",\r\n "items": [ {"vehicle": ${vehicle}} ] }`
  const id = await jobIdOf(await inventory.server.post(text))
  expect((await inventory.opened.store.queue.waiting('uploader', id))?.text).toBe(text)
  inventory.workAgain()
  await completed(inventory.server, id)
  const stored = await inventory.opened.store.vehicles.read('uploader', 'exact')
  expect(JSON.stringify(stored?.item)).toBe(`{"vehicle":${vehicle.replace('\\u00e9', 'é')}}`)
})

test('an item with text that may not be shown is rejected, named in errors, and the rest goes on', async () => {
  const job = await upload([item('c1'), item('c2', { vehicle: { description: 'a forbidden word' } }), item('c3')])
  expect(job.counts).toEqual({ accepted: 2, rejected: 1 })
  expect(job.errors).toEqual([
    {
      job_item_id: `${job.id}-1`,
      index: 1,
      path: '/items/1/vehicle/description',
      code: 'PROFANITY',
      message: 'forbidden',
    },
  ])
  expect(await inventory.opened.store.vehicles.read('uploader', 'c2')).toBeUndefined()
  expect(await inventory.opened.store.vehicles.read('uploader', 'c3')).toBeDefined()
})

test('pictures of an item that is rejected for its text are listed as rejected, without errors of their own', async () => {
  const refused = { vehicle: { description: 'forbidden', powered_by_logo_src: 'https://img.test/logo.jpg' } }
  const video = { type: 'video', src: 'https://img.test/tour.mp4' }
  const job = await upload([
    item('t1', { ...refused, assets: [picture('good'), video, picture('bad')] }),
    item('t2', { assets: [picture('good')] }),
  ])
  expect(job.image_moderation).toEqual([
    {
      ...{ job_item_id: `${job.id}-0`, index: 0, accepted: [] },
      rejected: ['logo', 'good', 'bad'].map((name) => ({ src: `https://img.test/${name}.jpg` })),
    },
    { job_item_id: `${job.id}-1`, index: 1, accepted: [{ src: 'https://img.test/good.jpg' }], rejected: [] },
  ])
  expect(job.errors.map(({ path, code }) => [path, code])).toEqual([['/items/0/vehicle/description', 'PROFANITY']])
  const alone = await upload([item('t3', { ...refused, assets: [picture('good')] })])
  expect(alone.image_moderation).toMatchObject([{ index: 0, accepted: [], rejected: [{}, {}] }])
})

test('a rejected picture is listed with its reason and left out of the stored vehicle; other assets stay', async () => {
  const assets = [picture('good'), picture('bad'), { type: 'document', src: 'https://img.test/bad.pdf' }]
  const job = await upload([item('i1', { assets })])
  expect(job.image_moderation).toEqual([
    {
      ...{ job_item_id: `${job.id}-0`, index: 0 },
      accepted: [{ src: 'https://img.test/good.jpg' }],
      rejected: [{ src: 'https://img.test/bad.jpg' }],
    },
  ])
  expect(job.errors).toMatchObject([{ path: '/items/0/assets/1/src', code: 'NOT_AN_IMAGE' }])
  expect((await inventory.opened.store.vehicles.read('uploader', 'i1'))?.item.assets).toEqual([assets[0], assets[2]])
})

test('no spelling of a type, no other field and no logo evades moderation', async () => {
  const src = (name: string) => `https://img.test/${name}.jpg`
  const spelled = ['Image', 'image ', 'photo', 'picture', '', 'Bild'].map((type) => ({
    type,
    src: src(`bad-${type.trim()}`),
  }))
  const further = [
    { src: src('good'), thumbnail: src('bad-thumbnail') },
    { src: src('good'), sizes: [{ width: 640, at: '//img.test/bad-size.jpg' }] },
    { src: src('good'), preview: 'ht\ttp:\\\\img.test/bad-spelled.jpg' },
  ]
  const kept = [
    { src: src('good'), thumbnail: src('small'), label: 'https' },
    ...['video', 'Video', ' document'].map((type) => ({ type, src: src('bad-of-no-picture') })),
  ]
  const assets = [...spelled, ...further, ...kept]
  const job = await upload([item('k1', { vehicle: { powered_by_logo_src: src('bad-logo') }, assets })])
  const rejected = job.image_moderation?.[0]?.rejected.map((each) => each.src)
  expect(rejected).toHaveLength(1 + spelled.length + further.length)
  expect(rejected?.[0]).toBe(src('bad-logo'))
  const paths = [
    ...spelled.map((_, index) => `${index}/src`),
    ...further.map((_, index) => `${spelled.length + index}`),
  ]
  expect(job.errors.map(({ path }) => path)).toEqual([
    '/items/0/vehicle/powered_by_logo_src',
    ...paths.map((path) => `/items/0/assets/${path}`),
  ])
  const stored = await inventory.opened.store.vehicles.read('uploader', 'k1')
  expect(stored?.item.assets).toEqual(kept)
  expect(stored?.item.vehicle).toEqual({ source_id: 'k1', make: 'Kia', model: 'EV5' })
})

test('a picture in a field that a sender invents is judged, and leaves with its field or its entry of a list', async () => {
  const src = (name: string) => `https://img.test/${name}`
  const [good, bad] = [
    { src: src('good'), alt: 'left' },
    { src: src('bad'), alt: 'right' },
  ]
  const rack = { code: 'RR', price: 990 }
  const vehicle = {
    ...{ image_src: src('bad'), hero: { photo: src('bad'), year: 2_026 }, images: [good, bad, good] },
    ...{ options: [{ ...rack, icon: src('bad') }], media: [{ type: 'image', src: src('bad') }] },
  }
  const assets = [
    { type: 'video', src: 'https://video.test/1', poster: src('good') },
    { type: 'video', src: 'https://video.test/2', poster: src('bad') },
  ]
  const job = await upload([{ ...item('f1', { vehicle, assets }), location: { logo_url: src('bad') } }])
  expect(job).toMatchObject({ counts: { accepted: 1, rejected: 0 } })
  expect(job.errors.map(({ path }) => path.replace('/items/0', '')).sort()).toEqual([
    '/assets/1/poster',
    '/location/logo_url',
    '/vehicle/hero/photo',
    '/vehicle/image_src',
    '/vehicle/images/1/src',
    '/vehicle/media/0/src',
    '/vehicle/options/0/icon',
  ])
  const { item: stored } = (await inventory.opened.store.vehicles.read('uploader', 'f1'))!
  expect(stored.vehicle).toEqual({
    source_id: 'f1',
    make: 'Kia',
    model: 'EV5',
    hero: { year: 2_026 },
    ...{ images: [good, good], options: [rack], media: [] },
  })
  expect(stored).toMatchObject({ assets: [assets[0]], location: {} })
})

test('of many refused pictures outside of the assets, twenty are named and the rest are counted', async () => {
  const photos = Array.from({ length: 23 }, (_, at) => `https://img.test/bad-${at}`)
  const { errors } = await upload([item('f2', { vehicle: { photos } })])
  expect(errors.map(({ path }) => path)).toEqual([
    ...Array.from({ length: 20 }, (_, at) => `/items/0/vehicle/photos/${at}`),
    '/items/0',
  ])
  expect(errors[20]?.message).toMatch(/^3 more pictures outside of the assets have this fault\. /)
})

test('with moderation switched off everything is stored as it was sent', async () => {
  const sent = item('o1', { vehicle: { description: 'forbidden' }, assets: [picture('bad')] })
  const job = await upload([sent], { moderate_images: false, moderate_content: false })
  expect(job).toMatchObject({ counts: { accepted: 1, rejected: 0 }, errors: [] })
  expect(job.image_moderation).toBeUndefined()
  expect((await inventory.opened.store.vehicles.read('uploader', 'o1'))?.item).toEqual(sent)
})

test('all 20 pictures of each of 100 vehicles are judged, and each vehicle is stored with its pictures', async () => {
  const assets = Array.from({ length: 20 }, (_, index) => picture(`m${index}`))
  const items = Array.from({ length: 100 }, (_, index) => item(`m${index}`, { assets }))
  const job = await upload(items)
  expect(job).toMatchObject({ counts: { accepted: 100, rejected: 0 }, errors: [] })
  const looked = job.image_moderation?.map(({ accepted, rejected }) => [accepted.length, rejected.length])
  expect(looked).toEqual(items.map(() => [20, 0]))
  const stored = await Promise.all(
    items.map((_, index) => inventory.opened.store.vehicles.read('uploader', `m${index}`)),
  )
  expect(stored.map((vehicle) => vehicle?.item.assets)).toEqual(items.map(() => assets))
})

test('an item has up to 100 pictures beside its other assets; one with more refuses the batch and is named', async () => {
  const pictures = (count: number) => Array.from({ length: count }, (_, index) => picture(`n${index}`))
  const most = item('n1', { assets: [{ type: 'video', src: 'https://img.test/n.mp4' }, ...pictures(100)] })
  const job = await upload([most])
  expect(job.image_moderation?.[0]?.accepted).toHaveLength(100)
  const response = await inventory.server.post(batch([item('n2'), item('n3', { assets: pictures(101) }), most]))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    code: 'bad_request',
    message: '/body/items/1/assets has 101 pictures; an item may have 100',
    errors: [{ path: '/body/items/1/assets', errorCode: 'maxItems.openapi.validation' }],
  })
  const photos = pictures(51).map(({ src }) => src)
  const outside = { vehicle: { source_id: 'n4', photos }, assets: pictures(50) }
  expect(await (await inventory.server.post(batch([outside]))).json()).toMatchObject({
    message: '/body/items/0 has 101 pictures; an item may have 100',
    errors: [{ path: '/body/items/0', errorCode: 'maxItems.openapi.validation' }],
  })
  expect(await inventory.opened.store.vehicles.read('uploader', 'n2')).toBeUndefined()
})

test('a source_id with half of a surrogate pair, which would replace that of another vehicle, is refused', async () => {
  const response = await inventory.server.post(batch([item('\u{1f697}'), item('A\ud800'), item('A\udc01')]))
  expect(response.status).toBe(400)
  const paths = [1, 2].map((index) => `/body/items/${index}/vehicle/source_id`)
  expect(await response.json()).toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('half of a surrogate pair'),
    errors: paths.map((path) => ({ path, errorCode: 'format.openapi.validation' })),
  })
})

test('the first 20 rejected pictures of an item have an error each, and those after them one for each fault', async () => {
  const names = Array.from({ length: 25 }, (_, index) => (index === 3 ? 'good' : `bad${index}`))
  const job = await upload([item('e1', { assets: names.map(picture) })])
  expect(job.image_moderation?.[0]?.rejected).toHaveLength(24)
  expect(job.errors.map(({ path }) => path)).toEqual([
    ...names.flatMap((_, index) => (index === 3 || index > 20 ? [] : [`/items/0/assets/${index}/src`])),
    '/items/0/assets',
  ])
  const message = '4 more pictures have this fault: assets 21, 22, 23, 24. Of the first: no picture'
  expect(job.errors[20]).toMatchObject({ code: 'NOT_AN_IMAGE', message })
})

test('the same vehicle twice in a batch ends with the later item', async () => {
  await upload([item('t1', { vehicle: { odometer: 1 } }), item('t2'), item('t1', { vehicle: { odometer: 2 } })])
  expect((await inventory.opened.store.vehicles.read('uploader', 't1'))?.item.vehicle['odometer']).toBe(2)
})

test('what is counted and measured can be read', async () => {
  const refused = 'driveaway_moderation_results_total{kind="content",result="PROFANITY"}'
  const before = await series(refused)
  await upload([item('r1', { vehicle: { description: 'forbidden' } }), item('r2', { assets: [picture('r')] })])
  expect((await series(refused)) - before).toBe(1)
  expect(await series('driveaway_moderation_seconds_count{kind="image"}')).toBeGreaterThan(0)
  expect(await series('driveaway_batch_deliveries_total{again="false"}')).toBeGreaterThan(0)
})

/** The value of one series that the worker shows; 0 before its first. */
async function series(name: string): Promise<number> {
  const lines = (await inventory.working.registry.metrics()).split('\n')
  return Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1] ?? 0)
}
