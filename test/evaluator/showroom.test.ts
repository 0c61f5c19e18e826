import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startChromium } from '../harness/chromium.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { bundleOf, newReleaseKey, SIGNED_AT } from '../rates/release/signed-bundle.ts'
import { builtEvaluator } from './built.ts'

// The files as the README of the page has them, on a server of static files, in a real Chromium.
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}
const folder = temporaryDirectory('showroom')
const site = join(folder.path, 'site')
/** Whether the line of the showroom is up. */
let isUp: boolean
let first: Uint8Array
let second: Uint8Array
let foreign: Uint8Array
let browser: Browser
let url: string

const server = createServer(({ url: path = '/', headers }, response) => {
  if (!isUp) return void response.destroy()
  const file = join(site, path === '/' ? 'index.html' : path)
  if (!existsSync(file)) return response.writeHead(404).end()
  const content = readFileSync(file)
  const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`
  if (headers['if-none-match'] === etag) return response.writeHead(304).end()
  return response
    .writeHead(200, { etag, 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    .end(content)
})

beforeAll(async () => {
  const { signs, published } = await newReleaseKey()
  ;[first, second] = [await bundleOf(signs), await bundleOf(signs, { iat: SIGNED_AT + 60 })]
  foreign = await bundleOf((await newReleaseKey('r9')).signs)
  cpSync('evaluator/showroom', site, { recursive: true })
  cpSync((await builtEvaluator(folder.path)).lib, join(site, 'evaluator'), { recursive: true })
  writeFileSync(join(site, 'keys.json'), JSON.stringify([published]))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  browser = await startChromium()
}, 240_000)
afterAll(async () => {
  await browser?.close()
  server.closeAllConnections()
  server.close()
  folder.remove()
})

let page: Page
beforeEach(async () => {
  isUp = true
  writeFileSync(join(site, 'current.bundle'), first)
  const context = await browser.newContext()
  page = await context.newPage()
  await page.clock.setFixedTime(new Date((SIGNED_AT + 3 * 3600) * 1000))
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  return async () => {
    await context.close()
    expect(errors).toEqual([])
  }
})

const total = () => page.locator('tr', { hasText: 'Drive-away price' }).locator('td')
const rates = () => page.locator('#rates')

/** The first visit; afterwards the worker and the rates are kept. */
async function visit() {
  await page.goto(url)
  await total().waitFor({ timeout: 10_000 })
  await page.evaluate('navigator.serviceWorker.ready')
  await expect
    .poll(() => page.evaluate("caches.open('rates').then((kept) => kept.keys()).then((all) => all.length)"))
    .toBe(1)
}

test('after one visit the page opens and quotes with the line down, and says how old the rates are', async () => {
  await visit()
  await page.locator('[name=price]').fill('90000')
  const online = await total().textContent()
  isUp = false
  server.closeAllConnections()
  await page.goto(url)
  await total().waitFor()
  await page.locator('[name=price]').fill('90000')
  expect(await total().textContent()).toBe(online)
  expect(await rates().textContent()).toMatch(
    /^Rates sha256:\w+, confirmed 180 minutes ago\. No newer rates: Failed to fetch$/,
  )
  await page.locator('[name=price]').fill('90001')
  await expect.poll(() => total().textContent()).not.toBe(online)
})

test('without one visit there are no rates, and the page says so', async () => {
  const bundle = join(site, 'current.bundle')
  writeFileSync(bundle, 'not a bundle')
  await page.goto(url)
  await page.locator('#quote', { hasText: 'There are no rates on this device yet' }).waitFor()
  expect(await rates().textContent()).toMatch(/^No rates: /)
})

test('a newer bundle is taken over when the line is up again; one of another key is refused, with the reason', async () => {
  await visit()
  const keptBytes = () =>
    page.evaluate(
      "caches.open('rates').then((kept) => kept.match('current.bundle')).then((one) => one.arrayBuffer()).then((all) => all.byteLength)",
    )
  writeFileSync(join(site, 'current.bundle'), foreign)
  await page.goto(url)
  await rates().filter({ hasText: 'the bundle is signed by key r9, which is not trusted' }).waitFor()
  await total().waitFor()
  expect(await keptBytes()).toBe(first.byteLength)
  writeFileSync(join(site, 'current.bundle'), second)
  await page.goto(url)
  await rates()
    .filter({ hasText: /confirmed less than a minute ago\.$/ })
    .waitFor()
  await expect.poll(keptBytes).toBe(second.byteLength)
})

test('a price that lacks a charge says which', async () => {
  await visit()
  const lacks = page.locator('#quote li', { hasText: 'Not in this price: ' })
  await page.locator('[name=pricingCode]').selectOption('AU_NSW')
  expect(await lacks.count()).toBe(0)
  await page.locator('[name=tareKg]').fill('')
  // The motor vehicle tax of New South Wales depends on the tare mass.
  expect(await lacks.allTextContents()).toEqual(['Not in this price: MOTOR_TAX'])
})

test('the page has a row for each file that the worker keeps', () => {
  const readme = readFileSync('evaluator/showroom/README.md', 'utf8')
  const worker = readFileSync('evaluator/showroom/service-worker.js', 'utf8')
  const kept = [...(/FILES = \[(.*)\]/.exec(worker)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, file = '']) => file)
  expect(kept.length).toBe(6)
  for (const file of kept)
    expect(readme).toContain(`\`${file === './' ? 'index.html' : file.replace(/(?<=\/).*/, '')}\``)
  for (const file of kept) expect(existsSync(join(site, file))).toBe(true)
})
