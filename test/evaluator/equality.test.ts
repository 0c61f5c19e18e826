import { createServer, type Server } from 'node:http'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { canonicalJson } from '#rates/published/canonical.ts'
import { snapshotOfBundle, type BundleContent } from '#rates/release/bundle.ts'
import type { Evaluator } from '../../evaluator/index.ts'
import { binding, clientsOf, startPricingServer, type PricingServer } from '../api/pricing-server.ts'
import { startChromium } from '../harness/chromium.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { requests } from '../rates/properties/requests.ts'
import { sets } from '../rates/properties/sets.ts'
import { bundleOf, committedContent, newReleaseKey } from '../rates/release/signed-bundle.ts'
import { builtEvaluator } from './built.ts'

// One request, three programs: the API over a socket, the package in this Node, and the package in a real Chromium. EQUAL_RUNS
// sets how many requests are drawn, over all pricing codes and years; EQUAL_SEED which.
const RUNS = Number(process.env['EQUAL_RUNS'] ?? 5_000)
const SEED = Number(process.env['EQUAL_SEED'] ?? 20260701)
const AT_ONCE = 250
// All sets in each round, so that any number of requests is over all of them.
const ROUND = 5_000
const ROUNDS = Math.ceil(RUNS / ROUND)
// A busy machine of two cores took more than half an hour for 100,000 requests.
const LIMIT = 240_000 + RUNS * 100

const folder = temporaryDirectory('equality')
const stops: (() => unknown)[] = [() => folder.remove()]
let api: PricingServer
let authorization: Record<string, string>
let evaluator: Evaluator
let page: Page

beforeAll(async () => {
  const { signs, published } = await newReleaseKey()
  const bundle = await bundleOf(signs)
  // As an operator publishes them: the keys of a condition are named in their order, and canonical JSON sorts them.
  api = await startPricingServer(snapshotOfBundle(JSON.parse(canonicalJson(committedContent())) as BundleContent))
  stops.push(() => api.close())
  api.holder.swap({ clients: clientsOf(binding('dealer', { showroomCodes: ['TEST01'] })) })
  authorization = { authorization: `Bearer ${await api.token('dealer')}`, 'accept-encoding': 'identity' }
  const built = await builtEvaluator(folder.path)
  evaluator = (await built.module.openBundle(bundle, [published])) as Evaluator
  page = await openPage(built.lib, bundle, published)
}, 240_000)
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

/** A page whose `answer` gives the text of the answer to each request, by the package and the bundle that a server gives it. */
async function openPage(lib: string, bundle: Uint8Array, key: object): Promise<Page> {
  const server = await served((path) =>
    path === '/' ? PAGE : path === '/bundle' ? Buffer.from(bundle) : readFileSync(join(lib, path.slice(1))),
  )
  stops.push(() => server.close())
  const browser: Browser = await startChromium()
  stops.push(() => browser.close())
  const opened = await browser.newPage()
  await opened.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/#${encodeURIComponent(JSON.stringify(key))}`)
  await opened.waitForFunction('globalThis.answers')
  return opened
}

const PAGE = Buffer.from(`<!doctype html><link rel="icon" href="data:,"><script type="module">
import { openBundle } from '/index.js'
const bytes = await (await fetch('/bundle')).arrayBuffer()
const evaluator = await openBundle(bytes, [JSON.parse(decodeURIComponent(location.hash.slice(1)))])
const answer = (ask) => { try { return JSON.stringify(ask()) } catch (error) { return JSON.stringify(error.refusal) ?? String(error) } }
globalThis.answers = (requests) => requests.map((request) => answer(() => evaluator.quote(request)))
globalThis.target = (request) => evaluator.target(request).then(JSON.stringify, (error) => JSON.stringify(error.refusal))
globalThis.rules = (query) => evaluator.rules(query).then(JSON.stringify)
globalThis.changes = (query) => evaluator.changes(query).then(JSON.stringify)
</script>`)

async function served(bodyOf: (path: string) => Buffer): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : url === '/' ? 'text/html' : 'application/gzip')
    response.end(bodyOf(url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const quoted = (request: QuoteRequest): string => {
  try {
    return JSON.stringify(evaluator.quote(request))
  } catch (error) {
    return JSON.stringify((error as { refusal: unknown }).refusal)
  }
}

const called = (name: string, argument: unknown) => page.evaluate(`globalThis.${name}(${JSON.stringify(argument)})`)

const quotable = sets.filter(({ offers }) => offers !== undefined)

function drawnIn(round: number): QuoteRequest[] {
  const numRuns = Math.ceil(RUNS / ROUNDS / quotable.length)
  const drawn = quotable.flatMap((spec, at) => fc.sample(requests(spec), { numRuns, seed: SEED + round * quotable.length + at }))
  return drawn.map((each) => JSON.parse(JSON.stringify(each)) as QuoteRequest)
}

test(`the API, Node and Chromium give the same bytes for ${RUNS} requests over all jurisdictions and years`, { timeout: LIMIT }, async () => {
  let [compared, refused] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const drawn = drawnIn(round)
    for (let from = 0; from < drawn.length; from += AT_ONCE) {
      const some = drawn.slice(from, from + AT_ONCE)
      const byApi = await Promise.all(some.map(async (each) => (await api.post('/v1/quote', each, authorization)).text()))
      expect(some.map(quoted)).toEqual(byApi)
      expect(await called('answers', some)).toEqual(byApi)
      refused += byApi.filter((text) => text.startsWith('{"code"')).length
      compared += some.length
    }
  }
  expect(compared).toBeGreaterThanOrEqual(RUNS)
  // Both kinds of answers were compared.
  expect(refused).toBeGreaterThan(0)
  expect(refused).toBeLessThan(compared / 2)
})

test('a target, the rules and the changes are the same bytes too', async () => {
  const request = JSON.parse(readFileSync('docs/examples/quote.json', 'utf8')) as QuoteRequest
  for (const driveAway of [80_000_00, 98_585_90, 5]) {
    const body = { ...request, showroomCode: 'TEST01', target: { driveAway } }
    const byApi = await (await api.post('/v1/quote/target-drive-away', body, authorization)).text()
    const byNode = await evaluator.target(body).then(JSON.stringify, (error: { refusal: unknown }) => JSON.stringify(error.refusal))
    expect(byNode).toBe(byApi)
    expect(await called('target', body)).toBe(byApi)
  }
  for (const spec of quotable) {
    const query = { pricingCode: spec.pricingCode, date: `${spec.financialYear.slice(0, 4)}-12-31` }
    const path = `/v1/rules?showroomCode=TEST01&pricingCode=${query.pricingCode}&date=${query.date}`
    const byApi = await (await api.get(path, authorization)).text()
    expect(JSON.stringify(await evaluator.rules(query))).toBe(byApi)
    expect(await called('rules', query)).toBe(byApi)
  }
  const query = { from: '2025-07-01', to: '2026-07-01', limit: '7' }
  const first = await (await api.get(`/v1/changes?${new URLSearchParams(query).toString()}`, authorization)).text()
  const { nextCursor } = JSON.parse(first) as { nextCursor: string }
  const next = await (await api.get(`/v1/changes?${new URLSearchParams({ ...query, cursor: nextCursor }).toString()}`, authorization)).text()
  expect([JSON.stringify(await evaluator.changes(query)), await called('changes', query)]).toEqual([first, first])
  expect(JSON.stringify(await evaluator.changes({ ...query, cursor: nextCursor }))).toBe(next)
})
