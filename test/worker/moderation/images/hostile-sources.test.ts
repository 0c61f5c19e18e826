import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { parseNetwork } from '../../../../worker/moderation/images/address-policy.ts'
import type { Classifier, Scores } from '../../../../worker/moderation/images/classifier.ts'
import {
  createImageModerator,
  type ClosableImageModerator,
  type ImageLimits,
} from '../../../../worker/moderation/images/create-image-moderator.ts'
import { startDecoder } from '../../../../worker/moderation/images/start-decoder.ts'
import { imageLimits } from '../../../../worker/moderation/images/image-limits.ts'
import { photograph, startSource, type Source } from './sources.ts'

const picture = await photograph().jpeg().toBuffer()
const NEUTRAL: Scores = { drawing: 0, hentai: 0, neutral: 1, porn: 0, sexy: 0 }

// One for all tests; a moderator would close it.
const decoder = await startDecoder(2)
afterAll(() => decoder.close())
const lent = { decode: decoder.decode, close: async () => undefined }

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function source(...args: Parameters<typeof startSource>): Promise<Source> {
  const started = await startSource(...args)
  open.push(() => started.close())
  return started
}

const PRODUCT = imageLimits({ atOnce: 24, ofOneClient: 6 })
/** The limits of the product, but for times, which are a hundredth of them or so. */
const LIMITS: ImageLimits = {
  ...PRODUCT,
  fetch: { ...PRODUCT.fetch, silenceMs: 1_000, attemptMs: 1_500 },
  persistence: { pausesMs: [5, 20], longestMs: 2_000 },
  failing: { failures: 5, restMs: 30_000 },
}

function moderator(change: Partial<ImageLimits> = {}, scores = NEUTRAL): ClosableImageModerator {
  const classifier: Classifier = { classify: async () => scores, close: async () => undefined }
  const nobody = { resolve4: async () => [], resolve6: async () => [] }
  const guard = { resolver: nobody, allowed: [parseNetwork('127.0.0.0/8')!], connectMs: 300 }
  const made = createImageModerator({ guard, decoder: lent, classifier, limits: { ...LIMITS, ...change } })
  open.push(() => made.close())
  return made
}

const never = new AbortController().signal
const outcome = async (made: ClosableImageModerator, src: string, clientId = 'a') => {
  const verdict = await made.judge({ src, clientId, signal: never })
  return verdict.accepted ? 'accepted' : verdict.code
}

test('a picture is accepted, and one that the classifier finds indecent is not', async () => {
  const { url } = await source((_, response) => response.end(picture))
  expect(await outcome(moderator(), url)).toBe('accepted')
  expect(await outcome(moderator({}, { ...NEUTRAL, neutral: 0.1, porn: 0.9 }), url)).toBe('INDECENT')
})

test.each(['text/html', 'application/octet-stream', 'image/svg+xml', ''])(
  'the bytes decide and not the content type: %s',
  async (type) => {
    const { url } = await source((request, response) => {
      response.setHeader('content-type', type)
      response.end(request.url === '/picture' ? picture : '<html><body>not found</body></html>')
    })
    const made = moderator()
    expect(await outcome(made, `${url}/picture`)).toBe('accepted')
    expect(await outcome(made, `${url}/page.jpg`)).toBe('NOT_AN_IMAGE')
  },
)

test('a body without end is left at the limit, and at once when it is no picture', async () => {
  let sent = 0
  const { url } = await source((request, response) => {
    const piece = Buffer.alloc(64 * 1024, 'x')
    response.on('error', () => undefined)
    if (request.url === '/picture') response.write(picture.subarray(0, 100))
    const push = () => {
      while (!response.destroyed && response.write(piece)) sent += piece.length
    }
    response.on('drain', push)
    push()
  })
  const made = moderator()
  expect(await outcome(made, `${url}/picture`)).toBe('TOO_LARGE')
  expect(sent).toBeLessThan(32 * 1024 * 1024)
  sent = 0
  expect(await outcome(made, `${url}/other`)).toBe('NOT_AN_IMAGE')
  expect(sent).toBeLessThan(16 * 1024 * 1024)
})

test('a length that is announced as too large is not waited for', async () => {
  const { url } = await source((_, response) => {
    response.writeHead(200, { 'content-length': 9_000_000 })
    response.write(picture.subarray(0, 100))
  })
  expect(await outcome(moderator(), url)).toBe('TOO_LARGE')
})

test('a body in pieces of one byte costs memory for its bytes, not for its pieces', async () => {
  const { url } = await source(async (_, response) => {
    response.on('error', () => undefined)
    response.write(picture.subarray(0, 64))
    for (let n = 0; n < 40 && !response.destroyed; n += 1) {
      for (let k = 0; k < 2_000; k += 1) response.write('x')
      await sleep(0)
    }
    response.end()
  })
  const before = process.memoryUsage.rss()
  expect(await outcome(moderator({ fetch: PRODUCT.fetch, persistence: PRODUCT.persistence }), url)).toBe('DAMAGED')
  expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000)
})

test('a gzip bomb is not unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000))
  const { url } = await source((request, response) => {
    if (request.url === '/declared') response.setHeader('content-encoding', 'gzip')
    response.end(bomb)
  })
  const before = process.memoryUsage.rss()
  const made = moderator()
  expect(await outcome(made, `${url}/declared`)).toBe('NOT_AN_IMAGE')
  expect(await outcome(made, `${url}/plain`)).toBe('NOT_AN_IMAGE')
  expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
})

test.each([
  ['says nothing', () => undefined],
  ['sends its head and no more', (response: ServerResponse) => response.flushHeaders()],
  [
    'sends a byte now and then',
    (response: ServerResponse) => {
      response.write(picture.subarray(0, 20))
      const drip = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(drip))
    },
  ],
  ['hangs up', (response: ServerResponse) => response.destroy()],
  [
    'hangs up within the body',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': picture.length })
      response.write(picture.subarray(0, 1_000), () => response.destroy())
    },
  ],
  ['sends a head without end', (response: ServerResponse) => response.writeHead(200, { x: 'y'.repeat(100_000) }).end()],
])('a source that %s is unavailable, within the time for one picture', async (_, answer) => {
  const { url } = await source((_request, response) => void answer(response))
  const start = performance.now()
  expect(await outcome(moderator(), url)).toBe('SOURCE_UNAVAILABLE')
  expect(performance.now() - start).toBeLessThan(LIMITS.persistence.longestMs + 1_500)
})

test('a source that is down is asked three times, and one that is up again in time is heard', async () => {
  const { url, asked } = await source((request, response) => {
    const isUp = request.url === '/late' && asked.filter((path) => path === '/late').length === 3
    response.writeHead(isUp ? 200 : 503).end(isUp ? picture : 'later')
  })
  const made = moderator()
  expect(await outcome(made, `${url}/down`)).toBe('SOURCE_UNAVAILABLE')
  expect(asked).toEqual(['/down', '/down', '/down'])
  expect(await outcome(made, `${url}/late`)).toBe('accepted')
})

test.each([400, 401, 403, 404, 410])('status %i is believed the first time', async (status) => {
  const { url, asked } = await source((_, response) => response.writeHead(status).end())
  const verdict = await moderator().judge({ src: url, clientId: 'a', signal: never })
  expect(verdict).toEqual({
    accepted: false,
    code: 'SOURCE_UNAVAILABLE',
    message: `The source answered with status ${status}.`,
  })
  expect(asked).toHaveLength(1)
})

test('a port that nobody listens on is unavailable', async () => {
  const { url, close } = await startSource((_, response) => response.end())
  await close()
  expect(await outcome(moderator(), url)).toBe('SOURCE_UNAVAILABLE')
})

test('five hundred slow pictures of one client take the time of a few, and do not hold up another client', async () => {
  const slow = await source(() => undefined)
  const quick = await source((_, response) => response.end(picture))
  const made = moderator()
  const start = performance.now()
  const many = Promise.all(Array.from({ length: 500 }, (_, n) => outcome(made, `${slow.url}/${n}`, 'slow')))
  expect(await outcome(made, quick.url, 'quick')).toBe('accepted')
  expect(performance.now() - start).toBeLessThan(LIMITS.persistence.longestMs)
  expect(new Set(await many)).toEqual(new Set(['SOURCE_UNAVAILABLE']))
  expect(performance.now() - start).toBeLessThan(5 * LIMITS.persistence.longestMs)
  expect(slow.asked.length).toBeLessThan(40)
  // Another client is not judged by what this one's pictures did.
  const before = slow.asked.length
  await outcome(made, slow.url, 'other')
  expect(slow.asked.length).toBeGreaterThan(before)
})

/** A source that takes its time for each picture, and the most pictures that it was asked for at once. */
async function countingSource() {
  let now = 0
  const asked = { most: 0 }
  const { url } = await source(async (_, response) => {
    asked.most = Math.max(asked.most, (now += 1))
    await sleep(30)
    now -= 1
    response.end(picture)
  })
  return { url, asked }
}

test('no more pictures are fetched at once than the limits say, of one client and of all', async () => {
  const { url, asked } = await countingSource()
  const made = moderator({ pictures: { atOnce: 8, ofOneClient: 3 } })
  await Promise.all(Array.from({ length: 20 }, () => outcome(made, url)))
  expect(asked.most).toBe(3)
  await Promise.all(Array.from({ length: 60 }, (_, n) => outcome(made, url, `client ${n % 10}`)))
  expect(asked.most).toBeLessThanOrEqual(8)
  expect(asked.most).toBeGreaterThan(3)
})

test('a client whose pictures are the only ones has half of the places', async () => {
  const { url, asked } = await countingSource()
  const made = moderator()
  await Promise.all(Array.from({ length: 40 }, () => outcome(made, url)))
  expect(asked.most).toBe(12)
})

test('when the worker stops, what is fetched and what waits is given up, and nothing is left', async () => {
  const slow = await source(() => undefined)
  const made = moderator({ pictures: { atOnce: 2, ofOneClient: 2 } })
  const stopping = new AbortController()
  const all = Array.from({ length: 2_000 }, () => made.judge({ src: slow.url, clientId: 'a', signal: stopping.signal }))
  await sleep(50)
  stopping.abort(new Error('the worker is stopping'))
  const reasons = (await Promise.allSettled(all)).map((each) =>
    each.status === 'rejected' ? each.reason.message : 'judged',
  )
  expect(new Set(reasons)).toEqual(new Set(['the worker is stopping']))
  const quick = await source((_, response) => response.end(picture))
  expect(await outcome(made, quick.url)).toBe('accepted')
})

test('a broken classifier is no verdict on the picture', async () => {
  const { url } = await source((_, response) => response.end(picture))
  const made = moderator({}, undefined)
  const broken = createImageModerator({
    guard: {
      resolver: { resolve4: async () => [], resolve6: async () => [] },
      allowed: [parseNetwork('127.0.0.1')!],
      connectMs: 300,
    },
    decoder: lent,
    classifier: { classify: () => Promise.reject(new Error('no memory')), close: async () => undefined },
    limits: LIMITS,
  })
  await expect(broken.judge({ src: url, clientId: 'a', signal: never })).rejects.toThrow('no memory')
  await broken.close()
  expect(await outcome(made, url)).toBe('accepted')
})

test('while thousands of pictures are judged without a wait, the event loop goes on', async () => {
  const made = moderator()
  const [count, timers] = [20_000, { turns: 0 }]
  const all = Array.from({ length: count }, (_, number) => outcome(made, `no address ${number}`))
  const counting = setInterval(() => (timers.turns += 1), 1)
  const outcomes = await Promise.all(all)
  clearInterval(counting)
  expect(new Set(outcomes)).toEqual(new Set(['INVALID_SOURCE']))
  expect(timers.turns).toBeGreaterThan(3)
})
