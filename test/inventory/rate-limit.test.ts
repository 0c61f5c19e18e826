import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRateLimiter } from '../../api/inventory/rate-limit.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'
import { startApiProgram, type RunningApi } from './programs.ts'
import { startUploadServer } from './uploads.ts'

let opened: OpenedStore
beforeAll(async () => void (opened = await openedStore()))
afterAll(() => opened.close())

const bucket = () => opened.store.requestRates
const MINUTE = 60_000
const SLOW_CLOCK = fileURLToPath(new URL('./slow-clock.ts', import.meta.url))

/** Asks a limiter for many requests of a client; gives how many were allowed. */
async function allowed(limiter: ReturnType<typeof createRateLimiter>, clientId: string, count: number) {
  const verdicts = await Promise.all(Array.from({ length: count }, () => limiter(clientId)))
  return verdicts.filter((verdict) => verdict.allowed).length
}

test('five replicas together allow the limit and not one request more', async () => {
  const limit = { perMinute: 1_000, replicas: 5 }
  const replicas = Array.from({ length: 5 }, () => createRateLimiter(limit, bucket, () => 10 * MINUTE))
  const counts = await Promise.all(replicas.map((limiter) => allowed(limiter, 'five', 700)))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_000)
})

test('what is left of leased blocks may go unused, less than a block a replica', async () => {
  const limit = { perMinute: 1_000, replicas: 2 }
  const [one, other] = [1, 2].map(() => createRateLimiter(limit, bucket, () => 11 * MINUTE))
  expect(await allowed(one!, 'idle', 1)).toBe(1)
  expect(await allowed(other!, 'idle', 2_000)).toBe(900)
})

test('clients are counted apart, and each minute anew', async () => {
  let now = 12 * MINUTE
  const limiter = createRateLimiter({ perMinute: 50, replicas: 1 }, bucket, () => now)
  expect(await allowed(limiter, 'a', 60)).toBe(50)
  expect(await allowed(limiter, 'b', 60)).toBe(50)
  now += MINUTE
  expect(await allowed(limiter, 'a', 60)).toBe(50)
})

test('with NATS away each replica allows its share, and no more than it when NATS goes in between', async () => {
  const limit = { perMinute: 1_000, replicas: 4 }
  const away = createRateLimiter(
    limit,
    () => undefined,
    () => 13 * MINUTE,
  )
  expect(await allowed(away, 'a', 1_000)).toBe(250)
  let isThere = true
  const lost = createRateLimiter(
    limit,
    () => (isThere ? bucket() : undefined),
    () => 14 * MINUTE,
  )
  expect(await allowed(lost, 'a', 100)).toBe(100)
  isThere = false
  expect(await allowed(lost, 'a', 1_000)).toBe(150)
})

test('when the rate limit is exceeded, the response is 429 and says when to come again', async () => {
  const clock = () => 15 * MINUTE + 18_000
  const server = await startUploadServer(() => opened.store, { perMinute: 3, clock })
  const poll = () => server.get(`/jobs/${randomUUID()}`)
  const responses = [await poll(), await poll(), await poll(), await poll()]
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 429])
  expect(responses.map(({ headers }) => headers.get('ratelimit'))).toEqual(
    [2, 1, 0, 0].map((left) => `"client";r=${left};t=42`),
  )
  const last = responses[3]!
  expect(last.headers.get('ratelimit-policy')).toBe('"client";q=3;w=60')
  expect(last.headers.get('retry-after')).toBe('42')
  expect(await last.json()).toMatchObject({ code: 'too_many_requests' })
  expect((await fetch(`${server.url}/spec`)).status).toBe(200)
  await server.close()
})

/** Requests of one client to one process, many at a time; gives how many there were of each status. */
async function hammer(api: RunningApi, count: number): Promise<Record<number, number>> {
  const headers = { authorization: `Bearer ${await api.token('uploader')}` }
  const statuses: Record<number, number> = {}
  let left = count
  const worker = async () => {
    while (left-- > 0) {
      const response = await fetch(`${api.url}/jobs/${'0'.repeat(8)}`, { headers })
      await response.arrayBuffer()
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 32 }, worker))
  return statuses
}

test('two API processes together allow a client 10,000 requests in a minute', { timeout: 300_000 }, async () => {
  const directory = temporaryDirectory('rate')
  const natsUrl = opened.nats.url
  // Both begin at the start of one minute of UTC, in which all of it is: on a busy machine it takes longer than a minute.
  const minuteOfBoth = String(Math.floor(Date.now() / MINUTE) * MINUTE)
  const env = { NODE_OPTIONS: `--import ${SLOW_CLOCK}`, CLOCK_FROM_MS: minuteOfBoth }
  const start = (name: string) =>
    startApiProgram({ name, natsUrl, directory: directory.path, clients: ['uploader'], env })
  const apis = await Promise.all([start('api-1'), start('api-2')])
  const [one, other] = await Promise.all(apis.map((api) => hammer(api, 5_300)))
  const answered = (status: number) => (one![status] ?? 0) + (other![status] ?? 0)
  console.log(`two processes: ${JSON.stringify({ one, other })}`)
  await Promise.all(apis.map((api) => api.stop()))
  directory.remove()
  expect(answered(404)).toBe(10_000)
  expect(answered(429)).toBe(600)
})
