import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@nats-io/transport-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newJob } from '../../inventory/job.ts'
import { LATE_CONSUMER, LATE_PICTURES } from '../../inventory/storage.ts'
import { openStore } from '../../inventory/store.ts'
import type { ImageModerator, ImageVerdict } from '../../worker/moderation/types.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { batch, item } from '../inventory/uploads.ts'
import { SOON, startWorking, visibleModeration } from './working.ts'

let opened: OpenedStore
/** What each host does, which is called as its client: `here`, if not said. */
let hosts: Map<string, 'away' | 'slow' | 'hanging'>
/** The clients of the pictures that are judged now, sorted. */
let judged: string[]
let stop: (() => Promise<void>) | undefined
beforeEach(async () => {
  opened = await openedStore()
  hosts = new Map()
  judged = []
})
afterEach(async () => {
  hosts.clear()
  await stop?.()
  await opened.close()
})

const AWAY: ImageVerdict = { accepted: false, code: 'SOURCE_UNAVAILABLE', message: 'no answer', isAway: true }

const images: ImageModerator = {
  judge: async ({ src, clientId, signal }) => {
    const { host } = new URL(src)
    if (hosts.get(host) === 'away') return AWAY
    judged = [...judged, clientId].sort()
    try {
      do {
        await sleep(200, undefined, { signal })
      } while (hosts.get(host) === 'slow')
      return hosts.get(host) === 'hanging' ? AWAY : { accepted: true }
    } finally {
      judged.splice(judged.indexOf(clientId), 1)
    }
  },
}

const sent = (client: string, count: number) =>
  Array.from({ length: count }, (_, n) => item(`v${n}`, { assets: [{ src: `https://${client}/${n}.jpg` }] }))

/** Uploads vehicles of a client whose pictures are late. */
async function upload(client: string, count: number): Promise<void> {
  hosts.set(client, 'away')
  const id = randomUUIDv7()
  const owner = { clientId: client, clientUid: client }
  await opened.store.jobs.create(newJob({ ...owner, id, createdAt: new Date(), moderateImages: true }))
  await opened.store.queue.publish(id, JSON.stringify(batch(sent(client, count))), { ...owner, replays: 0 })
  await waitFor('the job', async () => (await opened.store.jobs.read(client, id))?.record.status === 'completed')
}

const assetsOf = async (client: string) =>
  (await opened.store.vehicles.list(client)).records.flatMap(({ item: { assets } }) => assets || [])

const shares = (share: Record<string, number>) =>
  Object.entries(share).flatMap(([client, count]) => Array.from({ length: count }, () => client))

const isJudged = (share: Record<string, number>) =>
  waitFor(`the shares ${JSON.stringify(share)}`, () => judged.join() === shares(share).join(), { timeoutMs: 10_000 })

function start(pace = SOON, store = opened.store): void {
  const working = startWorking(() => store, { ...visibleModeration(), images }, {}, { pace })
  stop = () => working.stop(0)
}

test('one client has all places until another comes; then both have as many', async () => {
  start()
  await upload('a', 12)
  hosts.set('a', 'slow')
  await isJudged({ a: 8 })
  await upload('b', 1)
  hosts.delete('b')
  await waitFor('the picture of b', async () => (await assetsOf('b')).length === 1, { timeoutMs: 10_000 })
  await upload('b', 6)
  hosts.set('b', 'slow')
  await isJudged({ a: 4, b: 4 })
  await upload('c', 6)
  hosts.set('c', 'slow')
  await isJudged({ a: 3, b: 3, c: 2 })
  hosts.clear()
  await waitFor(
    'the end of all late pictures',
    async () => (await opened.store.manager.streams.info(LATE_PICTURES)).state.messages === 0,
  )
  for (const [client, count] of Object.entries({ a: 12, b: 6, c: 6 }))
    expect((await assetsOf(client)).length).toBe(count)
})

test(
  'no place stays empty while another client has late pictures that are not tried yet',
  { timeout: 60_000 },
  async () => {
    start({ ...SOON, firstMs: 5_000, longestMs: 10_000 })
    await upload('b', 1)
    await upload('a', 40)
    hosts.delete('a')
    await waitFor('the first pictures of a', () => judged.length > 0)
    const since = performance.now()
    await waitFor('all pictures of a', async () => (await assetsOf('a')).length === 40, { timeoutMs: 40_000 })
    // Five rounds of eight take a second.
    expect(performance.now() - since).toBeLessThan(4_000)
  },
)

/** Uploads vehicles of each of eight clients, whose sources hang from now on or are slow, and waits until each has a place. */
async function occupy(count: number, how: 'hanging' | 'slow'): Promise<void> {
  const eight = Array.from('abcdefgh')
  await Promise.all(eight.map((client) => upload(client, count)))
  for (const client of eight) hosts.set(client, how)
  if (how === 'slow') await isJudged(Object.fromEntries(eight.map((client) => [client, 1])))
}

const isServed = async (client: string, timeoutMs: number) =>
  waitFor(`the picture of ${client}`, async () => (await assetsOf(client)).length === 1, { timeoutMs })

test(
  'clients whose sources are back are served within a few tries, however many vehicles of others whose sources hang are due',
  { timeout: 120_000 },
  async () => {
    start()
    await occupy(240, 'hanging')
    // Until nearly all of them are due.
    await sleep(3_000)
    const others = ['i', 'j', 'k', 'l']
    await Promise.all(others.map((client) => upload(client, 1)))
    for (const client of others) hosts.delete(client)
    const since = performance.now()
    await Promise.all(others.map((client) => isServed(client, 30_000)))
    expect(performance.now() - since).toBeLessThan(10_000)
  },
)

test('vehicles that wait for a place are given back at once when their worker stops', { timeout: 60_000 }, async () => {
  const connection = await connect({ servers: opened.nats.url })
  const store = await openStore(connection)
  start(SOON, store)
  await occupy(2, 'slow')
  const others = Array.from('ijklmnopqrst')
  await Promise.all(others.map((client) => upload(client, 1)))
  hosts = new Map(Array.from('abcdefgh', (client) => [client, 'slow']))
  await sleep(3_000)
  const delivered = async () =>
    (await opened.store.manager.consumers.info(LATE_PICTURES, LATE_CONSUMER)).delivered.consumer_seq
  const before = await delivered()
  await sleep(1_000)
  // They wait: none is delivered again and again.
  expect(await delivered()).toBe(before)
  expect(await assetsOf('i')).toEqual([])
  await stop?.()
  await connection.drain()
  hosts.clear()
  start()
  await Promise.all(others.map((client) => isServed(client, 8_000)))
})
