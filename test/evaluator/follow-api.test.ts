import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { readBundle } from '#rates/release/bundle.ts'
import { packBundle, writeBundle } from '#rates/release/write-bundle.ts'
import type { FollowedReleases, ReleaseKey } from '../../evaluator/index.ts'
import { driveaway } from '../cli/driveaway.ts'
import { startChromium } from '../harness/chromium.ts'
import { freePort } from '../harness/free-port.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startProgram, type RunningProgram } from '../inventory/programs.ts'
import { newReleaseKey } from '../rates/release/signed-bundle.ts'
import { builtEvaluator } from './built.ts'

// The pricing API in a process of its own, followed by the package in this Node, which asks the API itself, and in a real
// Chromium, whose page asks its own server, which has the token.
const SECRET = 'correct-horse-battery-staple-0123456789-abcdefg'
const BUNDLE = 'application/vnd.driveaway.bundle+gzip'
const folder = temporaryDirectory('follow-api')
const inside = (name: string) => join(folder.path, name)
const vic = inside('rates/au-vic/fy27.yaml')
const request = {
  ...(JSON.parse(readFileSync('docs/examples/quote.json', 'utf8')) as QuoteRequest),
  showroomCode: 'MEL01',
}
/** What stands between the page and the API, and changes what comes back. */
let onTheWay: (bundle: Buffer) => Promise<Uint8Array> = async (bundle) => bundle
let keys: ReleaseKey[]
let port: number
let api: RunningProgram
let lib: string
let site: string
let browser: Browser
let page: Page
let node: FollowedReleases

const server = createServer((message, response) => {
  answer(message).then(
    ({ status, type, headers, body }) => response.writeHead(status, { ...headers, 'content-type': type }).end(body),
    () => response.destroy(),
  )
})

interface Served {
  status: number
  type: string
  headers?: Record<string, string>
  body?: Uint8Array | string
}

async function answer({ url = '/', headers }: IncomingMessage): Promise<Served> {
  if (url === '/') return { status: 200, type: 'text/html', body: PAGE }
  if (url.endsWith('.js')) return { status: 200, type: 'text/javascript', body: readFileSync(join(lib, url)) }
  const { accept = '', 'if-none-match': tag } = headers
  const got = await fetch(`http://127.0.0.1:${port}${url}`, {
    headers: { ...(await authorization()), accept, ...(tag && { 'if-none-match': tag }) },
  })
  const etag = got.headers.get('etag') ?? ''
  const type = got.headers.get('content-type') ?? ''
  const body = got.status === 200 ? await onTheWay(Buffer.from(await got.arrayBuffer())) : ''
  return { status: got.status, type, headers: { etag }, body }
}

const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="module">
import { followReleases } from '/index.js'
const keys = JSON.parse(decodeURIComponent(location.hash.slice(1)))
const followed = await followReleases('/v1/releases/current', { keys, everyMs: 1e9 })
globalThis.look = async (request) => {
  await followed.refresh()
  return { release: followed.current?.release, because: followed.lastFault?.because, fault: followed.lastFault?.message, ageMs: followed.ageMs(),
    answer: JSON.stringify(followed.current?.quote(request)) }
}
</script>`

beforeAll(async () => {
  for (const set of ['au', 'au-vic']) {
    mkdirSync(inside(`rates/${set}`), { recursive: true })
    cpSync(`rates/sets/${set}/fy27.yaml`, inside(`rates/${set}/fy27.yaml`))
  }
  writeFileSync(
    inside('clients.json'),
    JSON.stringify({ clients: [{ clientId: 'dealer', secret: SECRET, showroomCodes: ['MEL01'] }] }),
  )
  const made = await driveaway(['release-key', '--environment', 'staging', '--kid', 'r1', '--out', inside('r1.json')])
  keys = [JSON.parse(made.stdout) as ReleaseKey]
  port = await freePort()
  api = await startApi()
  const built = await builtEvaluator(folder.path)
  lib = built.lib
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await startChromium()
  page = await browser.newPage()
  await page.goto(`${site}/#${encodeURIComponent(JSON.stringify(keys))}`)
  await page.waitForFunction('globalThis.look', undefined, { timeout: 60_000 })
  const url = `http://127.0.0.1:${port}/v1/releases/current`
  node = await built.module.followReleases(url, { keys, everyMs: 1e9, headers: authorization })
}, 240_000)
afterAll(async () => {
  node?.stop()
  await browser?.close()
  server.close()
  await api?.stop()
  folder.remove()
})

async function startApi(): Promise<RunningProgram> {
  const settings = { SERVE: 'pricing', PRICING_PORT: String(port), RELEASE_KEY_FILE: inside('r1.json') }
  const source = { RATES_SOURCE: 'directory', RATES_DIRECTORY: inside('rates'), CLIENTS_FILE: inside('clients.json') }
  const started = await startProgram({
    name: 'api',
    entry: 'api/main.ts',
    directory: folder.path,
    env: { ...settings, ...source },
  })
  await waitFor('the pricing API', async () => (await fetch(`${started.healthUrl}/readyz`)).ok, { timeoutMs: 60_000 })
  return started
}

/** A token lives as long as the process that signed it. */
async function authorization(): Promise<Record<string, string>> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'dealer', client_secret: SECRET })
  const answered = await fetch(`http://127.0.0.1:${port}/oauth/token`, { method: 'POST', body })
  return { authorization: `Bearer ${((await answered.json()) as { access_token: string }).access_token}` }
}

async function priced(): Promise<string> {
  const headers = { ...(await authorization()), 'content-type': 'application/json' }
  const answered = await fetch(`http://127.0.0.1:${port}/v1/quote`, {
    method: 'POST',
    headers,
    body: JSON.stringify(request),
  })
  return answered.text()
}

interface Looked {
  release: string
  because?: string
  fault?: string
  ageMs: number
  answer: string
}

const inPage = (): Promise<Looked> => page.evaluate(`globalThis.look(${JSON.stringify(request)})`)
async function inNode(): Promise<Looked> {
  await node.refresh()
  const { because, message: fault } = (node.lastFault ?? {}) as { because?: string; message?: string }
  const [release, answered] = [node.current!.release, JSON.stringify(node.current!.quote(request))]
  return { release, ageMs: node.ageMs(), answer: answered, ...(because && { because }), ...(fault && { fault }) }
}

/** Amounts of the fee that is 44.20 in the law, each once. */
const amounts = Array.from({ length: 9 }, (_, at) => `${45 + at}.20`)

/** Changes the fee and every worked example that it is in; returns the answer of the API. */
async function correct(amount = amounts.shift()!): Promise<string> {
  const before = await priced()
  const text = readFileSync('rates/sets/au-vic/fy27.yaml', 'utf8')
  writeFileSync(vic, text.replaceAll('44.20', amount))
  await waitFor('the corrected rates', async () => (await priced()) !== before, { timeoutMs: 60_000 })
  return priced()
}

test('a corrected figure reaches both evaluators, which then give the answer of the API byte for byte', async () => {
  const first = await priced()
  const [before, beforeInPage] = [await inNode(), await inPage()]
  expect([before.answer, beforeInPage.answer]).toEqual([first, first])
  const second = await correct()
  expect(second).not.toBe(first)
  const [after, afterInPage] = [await inNode(), await inPage()]
  expect([after.answer, afterInPage.answer]).toEqual([second, second])
  expect([after.release, afterInPage.release]).not.toContain(before.release)
  expect([after.fault, afterInPage.fault]).toEqual([undefined, undefined])
})

test('what has not changed is not sent again, and the content without a signature is still the answer to other clients', async () => {
  const ask = async (fields: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/v1/releases/current`, { headers: { ...(await authorization()), ...fields } })
  const bundle = await ask({ accept: BUNDLE })
  expect([bundle.headers.get('content-type'), bundle.headers.get('vary')]).toEqual([BUNDLE, 'Accept, Accept-Encoding'])
  const { content } = await readBundle(new Uint8Array(await bundle.arrayBuffer()), keys)
  const etag = bundle.headers.get('etag')!
  expect((await ask({ accept: BUNDLE, 'if-none-match': etag })).status).toBe(304)
  const plain = await ask({ 'if-none-match': etag })
  expect([plain.status, plain.headers.get('content-type')]).toEqual([200, 'application/vnd.driveaway.release+json'])
  expect(await plain.json()).toEqual(content)
  const named = await fetch(`http://127.0.0.1:${port}/v1/releases/${content.release}`, {
    headers: { ...(await authorization()), accept: BUNDLE },
  })
  expect((await readBundle(new Uint8Array(await named.arrayBuffer()), keys)).content).toEqual(content)
  // A release in force gets an end, which the signed claims then say.
  expect(named.headers.get('cache-control')).toBe('private, no-cache')
})

/** The bundle with a figure of the rates changed, under the signature of the true one. */
async function altered(bundle: Buffer): Promise<Uint8Array> {
  return packBundle(
    gunzipSync(bundle)
      .toString('utf8')
      .replace(/"\d\d\.20"/, '"16.20"'),
  )
}

async function ofAnotherKey(bundle: Buffer): Promise<Uint8Array> {
  const { content, claims } = await readBundle(new Uint8Array(bundle), keys)
  return writeBundle(content, claims, (await newReleaseKey('r1')).signs)
}

test('an altered release and one that another key signed are refused, in Node and on the page; the last good one quotes on', async () => {
  await inNode()
  const good = await inPage()
  const next = await correct()
  const { followReleases } = (await import(join(lib, 'index.js'))) as typeof import('../../evaluator/index.ts')
  for (const [change, because] of [
    [altered, 'altered'],
    [ofAnotherKey, 'bad_signature'],
  ] as const) {
    onTheWay = change
    const looked = await inPage()
    expect([looked.because, looked.release, looked.answer]).toEqual([because, good.release, good.answer])
    const fresh = await followReleases(`${site}/v1/releases/current`, { keys })
    fresh.stop()
    expect([(fresh.lastFault as { because?: string }).because, fresh.current]).toEqual([because, undefined])
  }
  onTheWay = async (bundle) => bundle
  expect((await inPage()).answer).toBe(next)
  expect((await inNode()).answer).toBe(next)
})

/** Does something while the API does not run; when it starts again, its rates are those of the repository. */
async function whileAway<T>(use: () => Promise<T>): Promise<T> {
  await api.stop()
  try {
    return await use()
  } finally {
    cpSync('rates/sets/au-vic/fy27.yaml', vic)
    api = await startApi()
  }
}

test('while the API is away both go on with the last good release, whose age rises, and follow again when it is back', async () => {
  const good = await correct()
  const { release } = await inNode()
  await inPage()
  const [away, awayInPage] = await whileAway(async () => [await inNode(), await inPage()] as const)
  expect([away.answer, awayInPage.answer]).toEqual([good, good])
  expect([away.fault, awayInPage.fault]).toEqual([expect.any(String), expect.any(String)])
  expect(Math.min(away.ageMs, awayInPage.ageMs)).toBeGreaterThan(0)
  const [back, backInPage] = [await inNode(), await inPage()]
  expect(backInPage.release).toBe(back.release)
  expect(back.release).not.toBe(release)
  expect([back.answer, backInPage.answer]).toEqual([await priced(), await priced()])
}, 120_000)
