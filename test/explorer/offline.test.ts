import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageFiles } from '#explorer/page-files.ts'
import { serveExplorer } from '#explorer/serve.ts'
import { servedOf } from '#explorer/served.ts'
import { committedRates } from '../api/contract/committed-rates.ts'
import { startPricingServer } from '../api/pricing-server.ts'
import { sets, snapshotOf } from '../rates/properties/sets.ts'
import { startChromium } from '../harness/chromium.ts'

const VEHICLE =
  'view=price&pricingCode=AU_VIC&startDate=2026-11-01&termMonths=12&postcode=3000&value=90000&bodyType=suv&fuelType=ICE&condition=new&co2GPerKm=150'

let browser: Browser
beforeAll(async () => {
  browser = await startChromium()
}, 120_000)
afterAll(() => browser.close())

test('a page that was open once can be reloaded without its server, and says of when its rates are', async () => {
  const explorer = await serveExplorer(await pageFiles(), servedOf('rates/sets', snapshotOf(sets)))
  const page = await browser.newPage({ locale: 'en-AU' })
  try {
    await page.goto(`${explorer.url}#${VEHICLE}`)
    const kept = `caches.match('rates.json').then((copy) => copy !== undefined)`
    await expect.poll(() => page.evaluate<boolean>(kept), { timeout: 30_000 }).toBe(true)
  } finally {
    await explorer.stop()
  }
  await page.reload()
  await page.locator('h2', { hasText: 'Drive away for $98,585.90' }).waitFor()
  expect(await page.locator('footer').textContent()).toMatch(
    /The server does not answer: these are the rates of your last visit, \d+ \w+ \d{4} at /,
  )
  await page.close()
})

/** The addresses that copies of rates are kept under, as they end. */
const copies = (page: Page) =>
  page.evaluate<string[]>(`caches.open('driveaway-explorer').then((copies) => copies.keys()).then((kept) =>
    kept.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname.endsWith('/rates.json')).map(({ search }) => search))`)

/** Opens the page of a pricing API that wants a token, and enters one; resolves once a copy of the rates is kept. */
async function withToken() {
  const server = await startPricingServer(committedRates(), undefined, { explorer: 'clients', explorerFollowsMs: 200 })
  const page = await browser.newPage({ locale: 'en-AU' })
  await page.goto(`${server.url}/explore/#${VEHICLE}`)
  const token = await server.token()
  await enter(page, token)
  await expect.poll(() => copies(page), { timeout: 30_000 }).toHaveLength(1)
  return { server, page, token }
}

async function enter(page: Page, token: string): Promise<void> {
  await page.locator('[name=token]').fill(token)
  await page.keyboard.press('Enter')
}

test('a copy of rates that a token was needed for is shown with that token alone, and does not say the token', async () => {
  const { server, page, token } = await withToken()
  expect((await copies(page))[0]).toMatch(/^\?token=[\d-]+$/)
  expect((await copies(page))[0]).not.toContain(token)
  await server.close()
  await page.reload()
  await page.locator('h2', { hasText: 'Drive away for $98,585.90' }).waitFor()
  await page.locator('footer', { hasText: 'these are the rates of your last visit' }).waitFor()
  await page.evaluate(`sessionStorage.setItem('driveaway-token', 'of-another-client')`)
  await page.reload()
  await page.locator('[role=alert]', { hasText: 'There are no rates' }).waitFor()
  await page.close()
})

test('once the token is not accepted any more its copy is deleted, and is not shown without the server either', async () => {
  const { server, page } = await withToken()
  server.advance(2 * 3_600_000)
  await page.locator('h2', { hasText: 'Your access token is not accepted any more' }).waitFor()
  await expect.poll(() => copies(page)).toEqual([])
  await server.close()
  await page.reload()
  await page.locator('[role=alert]', { hasText: 'There are no rates' }).waitFor()
  await page.close()
})

test('with another token only the copy of that one is kept', async () => {
  const { server, page } = await withToken()
  const [first] = await copies(page)
  await page.evaluate(
    `sessionStorage.setItem('driveaway-token', ${JSON.stringify(await server.token('dealer', 'pricing:quote'))})`,
  )
  await expect.poll(async () => (await copies(page)).filter((copy) => copy !== first)).toHaveLength(1)
  await expect.poll(() => copies(page)).not.toContain(first)
  await page.close()
  await server.close()
})
