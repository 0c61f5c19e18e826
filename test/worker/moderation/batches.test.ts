import { afterEach, expect, test, vi } from 'vitest'
import type { Asset, Batch, Item } from '../../../inventory/batch.ts'
import { startModeration, type ClosableModeration } from '../../../worker/moderation/start-moderation.ts'
import { parseNetwork } from '../../../worker/moderation/images/address-policy.ts'
import { batchTurns } from '../../../worker/batches/moderate-images.ts'
import { moderateAndStore, type Attempt } from '../../../worker/batches/moderate-and-store.ts'
import { openedStore, type OpenedStore } from '../../inventory/opened-store.ts'
import { photograph, startSource, type Source } from './images/sources.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

interface World extends OpenedStore {
  moderation: ClosableModeration
  source: Source & { isAway: boolean }
}

/** Moderation as the worker has it, the model included; a store; and pictures, at paths that say what they are. */
async function world(allowed: readonly string[] = ['127.0.0.1']): Promise<World> {
  const pictures: Record<string, Buffer> = {
    good: await photograph().jpeg().toBuffer(),
    small: await photograph(64, 48).jpeg().toBuffer(),
    page: Buffer.from('<html><body>Not here</body></html>'),
    broken: (await photograph().png().toBuffer()).subarray(0, 10_000),
  }
  const started = await startSource((request, response) => {
    const kind = request.url?.split('/')[1] ?? ''
    if (source.isAway) response.writeHead(503).end()
    else if (kind === 'moved') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
    else response.writeHead(kind in pictures ? 200 : 404).end(pictures[kind])
  })
  const source = Object.assign(started, { isAway: false })
  open.push(() => source.close())
  const moderation = await startModeration({
    imageAllowedAddresses: allowed.map((text) => parseNetwork(text)!),
    ...{ imagesAtOnce: 24, imagesOfOneClient: 6 },
  })
  open.push(() => moderation.close())
  const opened = await openedStore()
  open.push(() => opened.close())
  return { ...opened, moderation, source }
}

const image = (src: string): Asset => ({ type: 'image', src })
const item = (sourceId: string, assets: Asset[], description = 'A good car'): Item => ({
  vehicle: { source_id: sourceId, description },
  assets,
})
const attempt = (batch: Batch): Attempt => ({
  ...{ jobId: '019aa9a2-6f0e-7a59-9d5a-6a8f5d2a3c11', clientId: 'uploader', sequence: 1, run: 1, batch },
  signal: new AbortController().signal,
  turns: batchTurns(),
})

test('each picture and each text gets its verdict, and the stored vehicle keeps the accepted pictures only', async () => {
  const { moderation, store, source } = await world()
  const src = (kind: string) => `${source.url}/${kind}/1.jpg`
  const kinds = ['good', 'small', 'page', 'broken', 'moved', 'gone']
  const items = [
    item('a', [...kinds.map((kind) => image(src(kind))), image('not a URL'), { type: 'document', src: src('page') }]),
    item('b', [image(src('good'))], 'Call 0491 570 156'),
  ]
  const result = await moderateAndStore(attempt({ source_name: 'test', items }), moderation, store)
  expect(result.counts).toEqual({ accepted: 1, rejected: 1 })
  expect(result.errors.map(({ path, code }) => `${path} ${code}`)).toEqual([
    '/items/0/assets/1/src TOO_SMALL',
    '/items/0/assets/2/src NOT_AN_IMAGE',
    '/items/0/assets/3/src DAMAGED',
    '/items/0/assets/4/src FORBIDDEN_ADDRESS',
    '/items/0/assets/5/src SOURCE_UNAVAILABLE',
    '/items/0/assets/6/src INVALID_SOURCE',
    '/items/1/vehicle/description CONTACT_DETAILS',
  ])
  expect(result.image_moderation).toMatchObject([
    { index: 0, accepted: [{ src: src('good') }] },
    { index: 1, accepted: [], rejected: [{ src: src('good') }] },
  ])
  const stored = await store.vehicles.read('uploader', 'a')
  expect(stored?.item.assets).toEqual([image(src('good')), { type: 'document', src: src('page') }])
  expect(await store.vehicles.read('uploader', 'b')).toBeUndefined()
})

test('a vehicle whose dealer has a profane word for a name is stored, and the job has a flag', async () => {
  const { moderation, store } = await world()
  const sent = { ...item('a', []), location: { name: "DICK'S AUTOMOTIVE" } }
  const result = await moderateAndStore(attempt({ source_name: 'test', items: [sent] }), moderation, store)
  expect(result).toMatchObject({ counts: { accepted: 1, rejected: 0 }, errors: [] })
  const flag = { index: 0, path: '/items/0/location/name', code: 'PROFANITY' }
  expect(result.flags).toMatchObject([flag])
  expect((await store.vehicles.read('uploader', 'a'))?.item).toEqual(sent)
})

test('a source that is away takes no picture from a vehicle; pictures that it was never stored with are late', async () => {
  const { moderation, store, source } = await world()
  const names = (kind: string, count: number) =>
    Array.from({ length: count }, (_, n) => image(`${source.url}/${kind}/${n}`))
  const upload = (sequence: number, items: Item[], options = {}) =>
    moderateAndStore(
      { ...attempt({ source_name: 'test', items, ...options }), sequence, jobId: `job-${sequence}` },
      moderation,
      store,
    )
  const [kept, page] = [names('good', 8), image(`${source.url}/page/1`)]
  await upload(1, [item('a', [...kept, page])])
  await upload(2, [item('b', kept)], { moderate_images: false })
  const [added] = names('later', 1)
  source.isAway = true
  const result = await upload(3, [item('a', [...kept, added!, page]), item('b', kept)])
  expect((await store.vehicles.read('uploader', 'a'))?.item.assets).toEqual(kept)
  expect((await store.vehicles.read('uploader', 'b'))?.item.assets).toEqual([])
  expect(result.image_moderation?.map(({ accepted, rejected }) => [accepted.length, rejected.length])).toEqual([
    [8, 2],
    [0, 8],
  ])
  expect(new Set(result.errors.map(({ code }) => code))).toEqual(new Set(['PICTURE_LATE']))
}, 60_000)

test('a logo may be smaller than a picture of a vehicle, and is judged as one', async () => {
  const { moderation, store, source } = await world()
  const vehicle = (id: string, kind: string) => ({ source_id: id, powered_by_logo_src: `${source.url}/${kind}/logo` })
  const items = [{ vehicle: vehicle('a', 'small') }, { vehicle: vehicle('b', 'page') }]
  const result = await moderateAndStore(attempt({ source_name: 'test', items }), moderation, store)
  expect(result.errors.map(({ path, code }) => `${path} ${code}`)).toEqual([
    '/items/1/vehicle/powered_by_logo_src NOT_AN_IMAGE',
  ])
  expect((await store.vehicles.read('uploader', 'a'))?.item).toEqual(items[0])
  expect((await store.vehicles.read('uploader', 'b'))?.item).toEqual({ vehicle: { source_id: 'b' } })
})

test('all 10,000 pictures of 100 items with 100 each are fetched and judged, in bounded memory', async () => {
  const { moderation, store, source } = await world()
  const some = (kind: string, count: number) => Array.from({ length: count }, () => kind)
  const kinds = ['good', ...some('small', 33), ...some('page', 33), ...some('broken', 33)]
  const pictures = (n: number) =>
    Array.from({ length: 100 }, (_, k) => image(`${source.url}/${kinds[(n + k) % kinds.length]}/${n}-${k}`))
  const items = Array.from({ length: 100 }, (_, n) => item(`v${n}`, pictures(n)))
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50)
  const result = await moderateAndStore(attempt({ source_name: 'test', items }), moderation, store)
  clearInterval(watch)
  expect(new Set(source.asked).size).toBe(10_000)
  expect(result.counts).toEqual({ accepted: 100, rejected: 0 })
  const verdicts = result.image_moderation!.map(({ accepted, rejected }) => [accepted.length, rejected.length])
  expect(verdicts).toEqual(items.map(() => [1, 99]))
  const rejections = result.errors.filter(({ path }) => path.endsWith('/src')).length
  const shared = result.errors.filter(({ path }) => path.endsWith('/assets'))
  const inShared = shared.reduce((sum, { message }) => sum + Number.parseInt(message), 0)
  expect([rejections, rejections + inShared]).toEqual([2_000, 9_900])
  expect(most - before).toBeLessThan(400_000_000)
}, 180_000)

test('without the setting, nothing on this machine is asked', async () => {
  const { moderation, store, source } = await world([])
  const items = [item('a', [image(`${source.url}/good/1`), image(`http://localhost:${source.port}/good/2`)])]
  const { errors } = await moderateAndStore(attempt({ source_name: 'test', items }), moderation, store)
  expect(errors[0]?.code).toBe('FORBIDDEN_ADDRESS')
  expect(['FORBIDDEN_ADDRESS', 'SOURCE_UNAVAILABLE']).toContain(errors[1]?.code)
  expect(source.asked).toEqual([])
})

test('the texts of a long item are moderated as others are, but not in this thread', async () => {
  const { moderation, store } = await world()
  const check = vi.spyOn(moderation.content, 'check')
  const long = item('long', [], `${'A good car. '.repeat(10_000)}Call 0412 345 678`)
  const { errors } = await moderateAndStore(
    attempt({ source_name: 'test', items: [long, item('b', [])] }),
    moderation,
    store,
  )
  expect(errors).toMatchObject([{ path: '/items/0/vehicle/description', code: 'CONTACT_DETAILS' }])
  expect(check.mock.calls.map(([{ vehicle }]) => vehicle.source_id)).toEqual(['b'])
})
