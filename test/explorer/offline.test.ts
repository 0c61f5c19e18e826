import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageFiles } from '#explorer/page-files.ts'
import { serveExplorer } from '#explorer/serve.ts'
import { servedOf } from '#explorer/served.ts'
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
