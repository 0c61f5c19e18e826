import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Job } from '../../../inventory/job.ts'
import { answerChecker, type Answered } from '../../api/contract/described.ts'
import { bearer } from '../../api/pricing-server.ts'
import { startWorking, visibleModeration, type Working } from '../../worker/working.ts'
import { openedStore, type OpenedStore } from '../opened-store.ts'
import { batch, completed, item, jobIdOf, startUploadServer, type UploadServer } from '../uploads.ts'

let opened: OpenedStore
let server: UploadServer
let working: Working
let faultsOf: (answered: Answered) => string[]
let isHeld = false

beforeAll(async () => {
  opened = await openedStore()
  server = await startUploadServer(() => opened.store)
  working = startHeldWorking()
  faultsOf = await answerChecker((await (await fetch(`${server.url}/spec`)).json()) as object)
})
afterAll(async () => {
  await working.stop(1_000)
  await server.close()
  await opened.close()
})

/** A worker that waits with its pictures while `isHeld`, whichever test comes first. */
const startHeldWorking = () =>
  startWorking(
    () => opened.store,
    visibleModeration(async (src) => {
      while (isHeld) await new Promise((resolve) => setTimeout(resolve, 10))
      return src.includes('bad') ? { accepted: false, code: 'NOT_AN_IMAGE', message: 'no picture' } : { accepted: true }
    }),
  )

/** Reads an answer and sees that the contract describes it. */
async function described<T>(operationId: string, response: Response): Promise<{ status: number; body: T }> {
  const body = (await response.json()) as T
  expect(faultsOf({ operationId, status: response.status, headers: response.headers, body })).toEqual([])
  return { status: response.status, body }
}

const post = async (body: unknown, headers = {}) =>
  described<{ job_id: string; code: string }>('createBatch', await server.post(body, headers))
const poll = async (id: string) => described<Job>('getJob', await server.get(`/jobs/${id}`))

const image = (src: string, placement = 'gallery') => ({ type: 'image', placement, order: 1, src })

/** Every field that the seed names, each with a value of its type. */
const fullItem = item('full', {
  assets: [image('https://img.test/1.jpg', 'featured'), image('https://img.test/2.jpg')],
  vehicle: {
    ...{
      stock_id: 's',
      channel: 'c',
      production_year: '2026',
      build_date: '2026-01-02',
      compliance_date: '2026-02-03',
    },
    ...{ badge: 'b', series: 's', make_code: 'm', model_code: 'm', badge_code: 'b', wheel_name: 'w', wheel_code: 'w' },
    ...{ option_codes: ['a', 'b'], vin: 'v', colour: 'red', interior: 'black', colour_code: 'r', interior_code: 'b' },
    ...{ derivative_code: 'd', body_type: 'suv', transmission: 'auto', engine_details: 'e', fuel_type: 'electric' },
    ...{ description: 'd', features_description: 'f', images_description: 'i', servicing_description: 's' },
    ...{ warranty_description: 'w', purchased_at: '2026-03-04', condition: 'new', odometer: 12, hide_odometer: false },
    ...{ battery_health: 99.5, is_sold: false, is_published: true, is_listed: true, estimated_delivery_delay: 3 },
    ...{ available_from: '2026-05-06', state_of_registration: 'VIC', registration_number: 'ABC123' },
    ...{ registration_expiry_date: '2027-01-01', specifications_provider_id: '1', specifications_provider: 'p' },
    ...{ specifications_provider_search_method: 'id', useable_battery: 60.3, range: 500, safety_rating: 5 },
    ...{ fuel_rating: 4.5, vehicle_order_min_deposit: 1000, powered_by_logo_src: 'https://img.test/l.png' },
    ...{ powered_by_description: 'p', external_cta_url: 'https://x.test', external_cta_label: 'Buy' },
    external_cta_description: 'now',
    pricing: { type: 'basic', price: 5677000, currency: 'AUD', included_discount: 100, excls_on_roads: true },
    tags: [{ code: 'hot', label: 'Hot', colour_scheme: 'red' }],
    custom_fields: [{ name: 'bay', value: '7' }],
  },
})

test('uploads are accepted as batches and processed asynchronously; each accepted batch yields a job whose status is polled', async () => {
  const sent = { ...fullItem, location: { source_id: 'l1', name: 'Yard' } }
  const { status, body } = await post(batch([sent]))
  expect(status).toBe(201)
  expect(body.job_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(await completed(server, body.job_id)).toMatchObject({ id: body.job_id, status: 'completed', errors: [] })
  expect((await opened.store.vehicles.read('uploader', 'full'))?.item).toEqual(sent)
})

test('reading inventory data is unsupported', async () => {
  await completed(server, await jobIdOf(await server.post(batch([item('unread')]))))
  for (const path of ['/vehicles', '/vehicles/unread', '/batch/unread', '/jobs', '/items', '/graphql'])
    expect([path, (await server.get(path)).status]).toEqual([path, 404])
  expect([(await server.get('/batch')).status, (await server.get('/batch')).headers.get('allow')]).toEqual([
    405,
    'POST',
  ])
})

test('each item should include vehicle, assets and showroom_ids; only vehicle must be there', async () => {
  const bare = { vehicle: { source_id: 'bare' } }
  const job = await completed(server, (await post(batch([bare]))).body.job_id)
  expect(job).toMatchObject({ counts: { accepted: 1, rejected: 0 }, errors: [] })
  expect((await opened.store.vehicles.read('uploader', 'bare'))?.item).toEqual(bare)
  expect(await post(batch([{ assets: [], showroom_ids: [] }]))).toMatchObject({ status: 400 })
})

test('batches are typically processed within a few seconds', async () => {
  const items = Array.from({ length: 100 }, (_, index) => item(`quick${index}`, { assets: [...(fullItem.assets || [])] }))
  const job = await completed(server, (await post(batch(items))).body.job_id)
  expect(Date.parse(job.completed_at!) - Date.parse(job.created_at)).toBeLessThan(10_000)
})

test('while running, status is processing; when finished, status is completed', async () => {
  isHeld = true
  const id = await jobIdOf(await server.post(batch([item('slow', { assets: [image('https://img.test/1.jpg')] })])))
  expect((await poll(id)).body).toMatchObject({ status: 'processing', errors: [], image_moderation: [] })
  isHeld = false
  await completed(server, id)
  expect((await poll(id)).body).toMatchObject({ status: 'completed', errors: [] })
})

test('images and content are moderated by default, and image_moderation lists accepted and rejected sources per item', async () => {
  const assets = [image('https://img.test/1.jpg'), image('https://img.test/bad.jpg')]
  const refused = item('refused', { vehicle: { description: 'forbidden' } })
  const job = await completed(server, await jobIdOf(await server.post(batch([refused, item('shown', { assets })]))))
  expect((await poll(job.id)).body.image_moderation).toEqual([
    {
      ...{ job_item_id: `${job.id}-1`, index: 1 },
      accepted: [{ src: 'https://img.test/1.jpg' }],
      rejected: [{ src: 'https://img.test/bad.jpg' }],
    },
  ])
  expect(job.counts).toEqual({ accepted: 1, rejected: 1 })
})

test('image_moderation is present when image moderation is used, and only then', async () => {
  const body = batch([item('plain', { assets: [image('https://img.test/bad.jpg')] })], { moderate_images: false })
  const job = await completed(server, await jobIdOf(await server.post(body)))
  expect((await poll(job.id)).body).not.toHaveProperty('image_moderation')
})

test('moderate_images and moderate_content are each optional, and switch off what they name and nothing else', async () => {
  const assets = [image('https://img.test/bad.jpg')]
  const items = [item('text', { vehicle: { description: 'forbidden' } }), item('picture', { assets })]
  const asked = async (options: object) => {
    const { counts, errors } = await completed(server, (await post(batch(items, options))).body.job_id)
    return [counts.rejected, errors.map(({ code }) => code)]
  }
  expect(await asked({})).toEqual([1, ['PROFANITY', 'NOT_AN_IMAGE']])
  expect(await asked({ moderate_images: true, moderate_content: true })).toEqual(await asked({}))
  expect(await asked({ moderate_images: false })).toEqual([1, ['PROFANITY']])
  expect(await asked({ moderate_content: false })).toEqual([0, ['NOT_AN_IMAGE']])
})

test('a batch has up to 100 items', async () => {
  const items = Array.from({ length: 100 }, (_, index) => item(`many${index}`))
  expect((await post(batch(items))).status).toBe(201)
  expect(await post(batch([...items, item('one too many')]))).toMatchObject({
    status: 400,
    body: { code: 'bad_request' },
  })
  expect(await post(batch([]))).toMatchObject({ status: 400, body: { code: 'bad_request' } })
})

test('a batch has up to 2 MB', async () => {
  const fill = (bytes: number) => {
    const empty = JSON.stringify(batch([item('big', { vehicle: { description: '' } })]))
    return batch([item('big', { vehicle: { description: 'x'.repeat(bytes - empty.length) } })])
  }
  expect((await post(fill(2 * 1024 * 1024))).status).toBe(201)
  expect(await post(fill(2 * 1024 * 1024 + 1))).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
})

test('GET /spec serves the API schema to anybody', async () => {
  const document = (await (await fetch(`${server.url}/spec`)).json()) as { openapi: string; paths: object }
  expect(document.openapi).toBe('3.0.3')
  expect(Object.keys(document.paths)).toEqual(['/batch', '/jobs/{job_id}', '/spec'])
})

test('a job of another client, an unknown one and a word that is no id are all unknown', async () => {
  const id = await jobIdOf(await server.post(batch([item('mine')])))
  const asked = [
    await server.get(`/jobs/${id}`, bearer(await server.token('other'))),
    await server.get(`/jobs/${randomUUID()}`),
    await server.get('/jobs/$KV.jobs.*'),
  ]
  for (const response of asked) {
    expect(await described('getJob', response)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
})

test('a 201 names the job’s place, and the job can be polled at once', async () => {
  const response = await server.post(batch([item('there')]))
  const place = response.headers.get('location') ?? ''
  expect((await server.get(place)).status).toBe(200)
  const id = place.slice('/jobs/'.length)
  expect((await poll(id.toUpperCase())).body.id).toBe(id)
})

test('fields that the list does not name are kept', async () => {
  const sent = item('extra', { vehicle: { towbar: { rated: true, kg: 1800 } } })
  await completed(server, await jobIdOf(await server.post(batch([sent]))))
  expect((await opened.store.vehicles.read('uploader', 'extra'))?.item).toEqual(sent)
})

test('what is left out of a later batch is not deleted, and is_sold and is_published are data', async () => {
  await completed(server, await jobIdOf(await server.post(batch([item('kept'), item('sold')]))))
  const sold = item('sold', { vehicle: { is_sold: true, is_published: false } })
  await completed(server, await jobIdOf(await server.post(batch([sold]))))
  expect(await opened.store.vehicles.read('uploader', 'kept')).toBeDefined()
  expect((await opened.store.vehicles.read('uploader', 'sold'))?.item.vehicle['is_sold']).toBe(true)
})

test('the same idempotency key and body give the same job, another body 422, another client its own', async () => {
  const key = { 'idempotency-key': 'upload-1' }
  const first = await post(batch([item('idem')]), key)
  expect(await post(JSON.stringify(batch([item('idem')]), undefined, 2), key)).toEqual(first)
  expect(await post(batch([item('other')]), key)).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  })
  const reference = (ref: string) => `{"source_name":"t","items":[{"vehicle":{"source_id":"idem","ref":${ref}}}]}`
  const second = { 'idempotency-key': 'upload-2' }
  expect((await post(reference('12345678901234567890'), second)).status).toBe(201)
  expect((await post(reference('12345678901234567891'), second)).status).toBe(422)
  const other = await post(batch([item('idem')]), { ...key, ...bearer(await server.token('other')) })
  expect(other.body.job_id).not.toBe(first.body.job_id)
  expect(await post(batch([item('idem')]), { 'idempotency-key': 'x'.repeat(256) })).toMatchObject({ status: 400 })
})

test('without NATS nothing is accepted, and the answer says when to try again', async () => {
  const away = await startUploadServer(() => undefined)
  for (const response of [await away.post(batch([item('a')])), await away.get(`/jobs/${randomUUID()}`)]) {
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
  }
  await away.close()
})

test('a full queue refuses with 503 and loses nothing that it had', async () => {
  const { manager } = opened.store
  await working.stop(1_000)
  const id = await jobIdOf(await server.post(batch([item('before')])))
  const { config } = await manager.streams.info('BATCHES')
  await manager.streams.update('BATCHES', { max_bytes: 1_000 })
  expect(await post(batch([item('after', { vehicle: { description: 'x'.repeat(1_000) } })]))).toMatchObject({
    status: 503,
    body: { code: 'queue_full' },
  })
  await manager.streams.update('BATCHES', { max_bytes: config.max_bytes })
  working = startHeldWorking()
  expect((await completed(server, id)).counts).toEqual({ accepted: 1, rejected: 0 })
})

test('a batch that waits longer than its job is kept is still processing, and then completed', async () => {
  await working.stop(1_000)
  const id = await jobIdOf(await server.post(batch([item('patient')])))
  const unmoderated = await jobIdOf(await server.post(batch([item('patient')], { moderate_images: false })))
  await opened.store.manager.streams.purge('KV_jobs')
  const counts = { accepted: 0, rejected: 0 }
  expect((await poll(id)).body).toMatchObject({ id, status: 'processing', counts, image_moderation: [] })
  expect((await poll(unmoderated)).body).not.toHaveProperty('image_moderation')
  working = startHeldWorking()
  expect((await completed(server, id)).counts).toEqual({ accepted: 1, rejected: 0 })
})
