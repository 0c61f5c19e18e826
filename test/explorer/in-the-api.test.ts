import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Quote } from '../../rates/engine/answer.ts'
import { committedRates } from '../api/contract/committed-rates.ts'
import { bearer, startPricingServer, type PricingServer } from '../api/pricing-server.ts'
import { startChromium, watchedPage } from '../harness/chromium.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const settings = { explorerFollowsMs: 200 }
let forClients: PricingServer
let forAll: PricingServer
let off: PricingServer
let browser: Browser
beforeAll(async () => {
  forClients = await startPricingServer(committedRates(), undefined, { ...settings, explorer: 'clients' })
  forAll = await startPricingServer(committedRates(), undefined, { ...settings, explorer: 'public' })
  off = await startPricingServer(committedRates())
  browser = await startChromium()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  for (const server of [forClients, forAll, off]) await server?.close()
})

let page: Page
let complaints: string[]
beforeEach(async () => {
  const watched = await watchedPage(browser)
  ;({ page, complaints } = watched)
  return async () => {
    await page.close()
    expect(watched.requested.filter((address) => !/^(http:\/\/127\.0\.0\.1|data:)/.test(address))).toEqual([])
  }
})

const VEHICLE =
  'view=price&pricingCode=AU_VIC&startDate=2026-11-01&termMonths=12&postcode=3000&value=90000&bodyType=suv&fuelType=ICE&condition=new&co2GPerKm=150'
const driveAway = () => page.locator('tr', { hasText: 'Drive-away price' }).locator('td.money')

/** The drive-away price of the same vehicle by `POST /v1/quote`. */
async function quoted(server: PricingServer): Promise<string> {
  const request = {
    ...{ pricingCode: 'AU_VIC', showroomCode: 'MEL01', purchaseDate: '2026-11-01' },
    vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', condition: 'new', co2GPerKm: 150 },
    pricingInputs: { dutiable: [{ description: 'Vehicle', kind: 'vehicle', value: 90_000_00 }] },
    registration: { startDate: '2026-11-01', termMonths: 12, postcode: '3000' },
  }
  const answer = await server.post('/v1/quote', request, bearer(await server.token()))
  const { totals } = (await answer.json()) as Quote
  return (totals.driveAway / 100).toLocaleString('en-AU', { style: 'currency', currency: 'AUD' })
}

test('with a token of a client the page shows the price that the API quotes; without one it asks, and says why', async () => {
  await page.goto(`${forClients.url}/explore#${VEHICLE}`)
  expect(page.url()).toBe(`${forClients.url}/explore/#${VEHICLE}`)
  await page.locator('[role=alert]', { hasText: /token/i }).waitFor()
  await page.evaluate(AXE)
  const found = (await page.evaluate('axe.run()')) as { violations: { id: string }[] }
  expect(found.violations.map(({ id }) => id)).toEqual([])
  await page.locator('[name=token]').fill('not-a-token')
  await page.keyboard.press('Enter')
  await page.locator('[name=token]:not([value])').waitFor()
  await page.locator('[name=token]').fill(await forClients.token())
  await page.keyboard.press('Enter')
  await expect.poll(() => driveAway().textContent()).toBe(await quoted(forClients))
  expect(await page.locator('footer').textContent()).toContain('Rates: pricing.test, release sha256:')
})

test('a token that a browser cannot send is refused with what to do, also after a reload', async () => {
  await page.goto(`${forClients.url}/explore/#${VEHICLE}`)
  await page.locator('[role=alert]', { hasText: 'Enter an access token of a client' }).waitFor()
  await page.locator('[name=token]').fill(`“${await forClients.token()}”`)
  await page.keyboard.press('Enter')
  await page.locator('[role=alert]', { hasText: 'another character that no token has' }).waitFor()
  await page.reload()
  await page.locator('[role=alert]', { hasText: 'another character that no token has' }).waitFor()
  await page.locator('[name=token]').fill(await forClients.token())
  await page.keyboard.press('Enter')
  await expect.poll(() => driveAway().textContent()).toBe(await quoted(forClients))
})

test('a client without the grant sees no rates', async () => {
  const answer = await forClients.get('/explore/rates.json', bearer(await forClients.token('uploader')))
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
})

test('where the explorer is public no token is asked for, and a new release is shown without a reload', async () => {
  await page.goto(`${forAll.url}/explore/#${VEHICLE}`)
  await expect.poll(() => driveAway().textContent()).toBe(await quoted(forAll))
  const { rates } = forAll.holder.read()
  const release = `sha256:${'b'.repeat(64)}`
  forAll.holder.swap({ rates: { ...rates!, snapshot: { ...rates!.snapshot, release } } })
  await page.locator('footer', { hasText: 'release sha256:bbbb' }).waitFor()
  forAll.holder.swap({ rates: rates! })
  await page.locator('footer', { hasText: 'release sha256:bbbb' }).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('the rates are sent once for each release', async () => {
  const first = await forAll.get('/explore/rates.json', { 'accept-encoding': 'gzip' })
  const etag = first.headers.get('etag')!
  expect([first.status, first.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  expect((await forAll.get('/explore/rates.json', { 'accept-encoding': 'gzip', 'if-none-match': etag })).status).toBe(
    304,
  )
  const plain = await forAll.get('/explore/rates.json', { 'accept-encoding': 'identity' })
  expect([plain.headers.get('content-encoding'), await plain.json()]).toEqual([null, await first.json()])
})

test('every file of the page has the strict policy, and the page has no inline program', async () => {
  for (const path of [
    '/explore/',
    '/explore/style.css',
    '/explore/main.js',
    '/explore/offline.js',
    '/explore/rates.json',
  ]) {
    const { status, headers } = await forAll.get(path)
    expect([path, status, headers.get('content-security-policy')]).toEqual([
      path,
      200,
      expect.stringMatching(/^default-src 'none'; script-src 'self';/),
    ])
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
  }
})

test('without the setting there is no explorer', async () => {
  expect((await off.get('/explore')).status).toBe(404)
  expect((await off.get('/explore/rates.json')).status).toBe(404)
})

test('before rates are loaded the answer is 503 with a time to come again', async () => {
  const bare = await startPricingServer(committedRates(), undefined, { explorer: 'public' })
  try {
    bare.holder.swap({ rates: undefined as never })
    const answer = await bare.get('/explore/rates.json')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  } finally {
    await bare.close()
  }
})
