import { randomUUIDv7 } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { newJob } from '../../inventory/job.ts'
import { parseNetwork } from '../../worker/moderation/images/address-policy.ts'
import { createImageModerator } from '../../worker/moderation/images/create-image-moderator.ts'
import { imageLimits } from '../../worker/moderation/images/image-limits.ts'
import { startDecoder } from '../../worker/moderation/images/start-decoder.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { batch, item } from '../inventory/uploads.ts'
import { DEADLY_DECODER, deadly, KILLS } from './moderation/images/deadly-pictures.ts'
import { photograph, startSource, type Source } from './moderation/images/sources.ts'
import { startWorking, visibleModeration } from './working.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A worker whose decoder dies of certain pictures, and a source of these and of good ones. */
async function world(): Promise<{ opened: OpenedStore; source: Source }> {
  const [good, killing] = [await photograph().jpeg().toBuffer(), await deadly(KILLS)]
  const source = await startSource((request, response) => void response.end(request.url === '/deadly' ? killing : good))
  open.push(() => source.close())
  const opened = await openedStore()
  open.push(() => opened.close())
  const scores = { drawing: 0, hentai: 0, neutral: 1, porn: 0, sexy: 0 }
  const nobody = { resolve4: async () => [], resolve6: async () => [] }
  const images = createImageModerator({
    guard: { resolver: nobody, allowed: [parseNetwork('127.0.0.1')!], connectMs: 300 },
    decoder: await startDecoder(2, DEADLY_DECODER),
    classifier: { classify: async () => scores, close: async () => undefined },
    limits: imageLimits({ atOnce: 24, ofOneClient: 6 }),
  })
  open.push(() => images.close())
  const working = startWorking(() => opened.store, { ...visibleModeration(), images })
  open.push(() => working.stop(0))
  return { opened, source }
}

test('a picture that kills the decoder costs no batch an attempt, and its vehicle only this picture', async () => {
  const { opened, source } = await world()
  const { jobs, queue, vehicles } = opened.store
  const upload = async (clientId: string, paths: readonly string[]) => {
    const id = randomUUIDv7()
    const fresh = { id, clientId, clientUid: clientId, createdAt: new Date(), moderateImages: true }
    await jobs.create(newJob(fresh))
    const assets = paths.map((path) => ({ src: `${source.url}/${path}` }))
    const text = JSON.stringify(batch([item('v1', { assets })]))
    await queue.publish(id, text, { clientId, clientUid: clientId, replays: 0 })
    return { clientId, id }
  }
  const many = Array.from({ length: 10 }, (_, n) => `good-${n}`)
  const uploads = await Promise.all([
    upload('guilty', ['first', 'deadly', 'last']),
    ...['a', 'b', 'c', 'd'].map((clientId) => upload(clientId, many)),
  ])
  const read = () => Promise.all(uploads.map(async ({ clientId, id }) => (await jobs.read(clientId, id))!.record))
  await waitFor('all batches', async () => (await read()).every(({ status }) => status === 'completed'), {
    timeoutMs: 40_000,
  })
  const [guilty, ...others] = await read()
  expect([guilty!, ...others].map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1])
  expect(guilty).toMatchObject({ errors: [{ path: '/items/0/assets/1/src', code: 'UNDECODABLE' }] })
  expect((await vehicles.read('guilty', 'v1'))?.item.assets).toMatchObject(
    ['first', 'last'].map((path) => ({ src: `${source.url}/${path}` })),
  )
  expect(others.map(({ image_moderation: images }) => images?.[0]?.accepted.length)).toEqual([10, 10, 10, 10])
})
