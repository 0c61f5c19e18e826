import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChromium } from '../../harness/chromium.ts'
import { expectEveryOperation, expectOwnHostOnly, openReference, operationOn } from '../../harness/reference-page.ts'
import { SECRET, startPricingServer, type PricingServer } from '../pricing-server.ts'
import { victorianRates } from '../victorian-rates.ts'

let server: PricingServer
let browser: Browser
beforeAll(async () => {
  server = await startPricingServer(victorianRates().snapshot)
  browser = await startChromium()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test('the reference shows every operation of the specification', async () => {
  const { page } = await openReference(browser, server.url)
  await expectEveryOperation(page, 'createQuote', await server.get('/spec'))
})

test('a quote can be made in it: a token by client credentials, the example, the answer', async () => {
  const { page, requested, complaints } = await openReference(browser, server.url)
  const createQuote = operationOn(page, 'createQuote')
  await page.locator('.btn.authorize').click()
  const dialog = page
    .locator('.modal-ux .auth-container', { has: page.getByText('clientCredentials', { exact: false }) })
    .first()
  await dialog.locator('#client_id_clientCredentials').fill('dealer')
  await dialog.locator('#client_secret_clientCredentials').fill(SECRET)
  await dialog.locator('label[for^="pricing:quote"]').first().click()
  await dialog.locator('button.authorize').click()
  await page.locator('.modal-ux .btn-done').first().click()
  await createQuote.locator('.opblock-summary-control').click()
  await createQuote.locator('button.execute').click()
  const live = createQuote.locator('.live-responses-table')
  await live.waitFor()
  expect(await live.locator('.response-col_status').last().innerText()).toMatch(/^200/)
  expect(await live.locator('.response-col_description').last().innerText()).toContain('AU_VIC_STAMP_DUTY_FY27')
  expectOwnHostOnly({ requested, complaints }, server.url)
})

test('it asks nothing of any other host, and its own policy forbids it to', async () => {
  const { page, requested, complaints } = await openReference(browser, server.url)
  await operationOn(page, 'createQuote').waitFor()
  expectOwnHostOnly({ requested, complaints }, server.url)
  const policy = (await server.get('/docs')).headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  await page.evaluate(() => fetch('http://127.0.0.2:9/').catch(() => undefined))
  expect(complaints).toContainEqual(expect.stringContaining('Content Security Policy'))
})

test('its files are not sent again to a browser that has them', async () => {
  for (const name of ['', '/start.js', '/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png']) {
    const first = await server.get(`/docs${name}`)
    await first.arrayBuffer()
    const again = await server.get(`/docs${name}`, {
      'if-none-match': first.headers.get('etag') ?? '',
      'cache-control': '',
    })
    expect([name, first.status, again.status]).toEqual([name, 200, 304])
  }
})
