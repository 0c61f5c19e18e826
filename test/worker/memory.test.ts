import { randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newJob } from '../../inventory/job.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { startWorkerProgram, type RunningProgram } from '../inventory/programs.ts'
import { batch, item } from '../inventory/uploads.ts'
import { photograph, startSource, type Source } from './moderation/images/sources.ts'

/** Megabytes: half of what the chart gives. With all pictures begun at once, each batch of this test took 35 MB. */
const HEAP = 256

let opened: OpenedStore
let source: Source
let worker: RunningProgram
const directory = mkdtempSync(join(tmpdir(), 'worker-memory-'))
beforeAll(async () => {
  const picture = await photograph().jpeg().toBuffer()
  // A source that does not answer, and one that does.
  source = await startSource((request, response) => void (request.url!.startsWith('/good') && response.end(picture)))
  opened = await openedStore()
  worker = await startWorkerProgram(opened.nats.url, directory, {
    NODE_OPTIONS: `--max-old-space-size=${HEAP}`,
    IMAGE_ALLOWED_ADDRESSES: '127.0.0.1',
  })
}, 60_000)
afterAll(async () => {
  await worker.kill()
  await Promise.all([opened.close(), source.close()])
  rmSync(directory, { recursive: true })
})

async function upload(clientId: string, name: string, counts: { items: number; pictures: number }): Promise<string> {
  const id = randomUUIDv7()
  const assets = Array.from({ length: counts.pictures }, (_, position) => ({
    src: `${source.url}/${name}/${position}`,
  }))
  const items = Array.from({ length: counts.items }, (_, index) => item(`${name}-${index}`, { assets }))
  await opened.store.jobs.create(
    newJob({ id, clientId, clientUid: clientId, createdAt: new Date(), moderateImages: true }),
  )
  await opened.store.queue.publish(id, JSON.stringify(batch(items)), { clientId, clientUid: clientId, replays: 0 })
  return id
}

test('a worker lives through the batches with the most pictures, and judges those of others meanwhile', async () => {
  for (let n = 0; n < 40; n += 1) await upload('many', `slow-${n}`, { items: 100, pictures: 100 })
  const inHand = async () =>
    (await (await fetch(`${worker.healthUrl}/metrics`)).text()).match(/batches_in_hand (\d+)/)?.[1]
  await waitFor('many batches in hand', async () => Number(await inHand()) > 10)
  const id = await upload('other', 'good', { items: 2, pictures: 3 })
  const job = async () => (await opened.store.jobs.read('other', id))!.record
  await waitFor('the batch of another', async () => (await job()).status === 'completed', { timeoutMs: 30_000 })
  expect(await job()).toMatchObject({ attempts: 1, errors: [], counts: { accepted: 2 } })
  expect(readFileSync(join(directory, 'worker.log'), 'utf8')).not.toContain('heap out of memory')
}, 90_000)
