import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { rateSetName } from '#rates/published/financial-year.ts'
import { snapshotOfBundle } from '#rates/release/bundle.ts'
import { contentOf } from '#rates/release/bundle-content.ts'
import { followArchive, type ReleaseArchive } from '../../api/releases/archive.ts'
import { startPricingServer, type PricingServer } from '../api/pricing-server.ts'
import { startChromium } from '../harness/chromium.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inventedSet } from '../operator/invented-set.ts'
import { bundleOf, newReleaseKey } from '../rates/release/signed-bundle.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const VEHICLE = 'view=curve&pricingCode=AU_NSW&startDate=2026-11-01&termMonths=12&value=40000&condition=new'

/** The release in which plates of New South Wales cost a fee. */
const contentWith = (fee: string) =>
  contentOf(
    [inventedSet('AU'), inventedSet('AU_NSW', { fee })].map((spec) => ({
      name: rateSetName(spec.pricingCode, spec.financialYear),
      spec,
    })),
  )
const [older, old, present] = [contentWith('10.00'), contentWith('20.00'), contentWith('30.00')] as const
const OLD = { since: '2020-03-01T01:00:00.000Z', until: '2020-04-01T01:00:00.000Z' }
const OLDER = { since: '2020-02-01T01:00:00.000Z', until: OLD.since }

let keys: Awaited<ReturnType<typeof newReleaseKey>>
let browser: Browser
let page: Page
let archive: ReleaseArchive
let server: PricingServer
const folder = temporaryDirectory('explored-releases')
beforeAll(async () => {
  keys = await newReleaseKey('r1', 'test')
  browser = await startChromium()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  folder.remove()
})

async function put(name: string, content: typeof old, inForce: readonly { since: string; until: string }[]) {
  const bytes = await bundleOf(keys.signs, { environment: 'test', inForce }, content)
  writeFileSync(join(folder.path, '.new'), bytes)
  renameSync(join(folder.path, '.new'), join(folder.path, name))
}

async function serve(explorer: 'clients' | 'public' = 'public') {
  const trusted = () => ({ published: [keys.published], environment: 'test' })
  const log = { error: () => undefined, info: () => undefined }
  archive = followArchive({ folder: folder.path, trusted, log, everyMs: 20 })
  const settings = { archive, keepDays: 400, explorer, explorerFollowsMs: 200 }
  server = await startPricingServer(snapshotOfBundle(present), undefined, settings)
}

beforeEach(async () => {
  await put('older.bundle', older, [OLDER])
  await put('old.bundle', old, [OLD])
  // In another time zone, the days of the names would be others.
  page = await browser.newPage({
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    viewport: { width: 1280, height: 1000 },
  })
})
afterEach(async () => {
  await page.close()
  await Promise.all([archive.stop(), server.close()])
  for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name))
})

const open = (more = '') => page.goto(`${server.url}/explore/#${VEHICLE}${more}`)
const marked = (text: string) => page.locator('#view > p', { hasText: text }).waitFor()
const refused = (text: string) => page.locator('#view .refused', { hasText: text }).waitFor()
const OLD_NAME = 'Release of 1 March 2020 at 12:00 pm'

test('another kept release is chosen from a list, its curve has its own prices, and the link restores it', async () => {
  await serve()
  await open()
  const listed = page.locator('#compare optgroup[label="Another release"] option')
  await expect.poll(() => listed.allTextContents()).toEqual([OLD_NAME, 'Release of 1 February 2020 at 12:00 pm'])
  await page.locator('#compare').selectOption({ label: OLD_NAME })
  await marked(`$40,030.00 (${OLD_NAME})`)
  expect(page.url()).toContain(encodeURIComponent(`release:${old.release}`))
  await page.locator('#compare').selectOption({ label: 'Release of 1 February 2020 at 12:00 pm' })
  await marked('$40,020.00 (Release of 1 February 2020 at 12:00 pm)')
  await page.reload()
  await marked(`$40,030.00 (${OLD_NAME}); $40,020.00 (Release of 1 February 2020 at 12:00 pm)`)
  expect(await page.locator('.legend li').count()).toBe(3)
  await page.evaluate(AXE)
  const found = (await page.evaluate('axe.run()')) as { violations: { id: string }[] }
  expect(found.violations.map(({ id }) => id)).toEqual([])
  await page.locator('button', { hasText: `Remove ${OLD_NAME}` }).click()
  await expect.poll(() => page.locator('.legend li').count()).toBe(2)
  await expect.poll(() => listed.allTextContents()).toEqual([OLD_NAME])
})

test('a release that is not kept, or is no release, says why, and the other curves are drawn', async () => {
  await serve()
  const unknown = `sha256:${'0'.repeat(64)}`
  await open(`&with=release:${unknown},release:yesterday,release:${old.release}`)
  await refused('Release 000000000000: Release 000000000000… is not kept.')
  await refused('“yesterday” is no release: that is sha256: and 64 digits.')
  await marked(`$40,030.00 (${OLD_NAME})`)
})

test('a release that is deleted while its curve is drawn stays until a reload, which says why, and comes back with its file', async () => {
  await serve()
  await open(`&with=release:${old.release}`)
  await marked(`$40,030.00 (${OLD_NAME})`)
  rmSync(join(folder.path, 'old.bundle'))
  await waitFor('the archive', () => archive.list()?.length === 1)
  await marked('$40,030.00 (Release')
  await page.reload()
  await refused(`${old.release.slice(7, 19)}… is not kept.`)
  await put('old.bundle', old, [OLD])
  await marked(`$40,030.00 (${OLD_NAME})`)
})

test('releases of one time are told by their digits, and one whose time is not known as well', async () => {
  await put('older.bundle', older, [OLD])
  await put('unknown.bundle', contentWith('15.00'), [])
  await serve()
  await open()
  const digits = ({ release }: typeof old) => release.slice(7, 19)
  await expect
    .poll(async () =>
      (await page.locator('#compare optgroup[label="Another release"] option').allTextContents()).toSorted(),
    )
    .toEqual(
      [
        `${OLD_NAME} (${digits(old)})`,
        `${OLD_NAME} (${digits(older)})`,
        `Release ${digits(contentWith('15.00'))}`,
      ].toSorted(),
    )
})

test('a reload without the server draws the curve of the other release too', async () => {
  await serve()
  await open(`&with=release:${old.release}`)
  await marked(`$40,030.00 (${OLD_NAME})`)
  const kept = `caches.open('driveaway-explorer').then((copies) => copies.keys()).then((keys) => keys.map(({ url }) => url).join(' '))`
  await expect.poll(() => page.evaluate<string>(kept), { timeout: 30_000 }).toMatch(/releases\/sha256/)
  await server.close()
  await page.reload()
  await page.locator('footer', { hasText: 'these are the rates of your last visit' }).waitFor()
  await marked(`$40,030.00 (${OLD_NAME})`)
})

test('a token that has expired when a release is chosen is asked for again, and then the curve is drawn', async () => {
  await serve('clients')
  await open()
  await page.locator('[name=token]').fill(await server.token())
  await page.keyboard.press('Enter')
  await page.locator('#compare optgroup[label="Another release"]').waitFor({ state: 'attached' })
  server.advance(2 * 3_600_000)
  await page.locator('#compare').selectOption({ label: OLD_NAME })
  await page.locator('#notice h2', { hasText: 'Your access token is not accepted any more' }).waitFor()
  await page.locator('[name=token]').fill(await server.token())
  await page.keyboard.press('Enter')
  await marked(`$40,030.00 (${OLD_NAME})`)
  expect(await page.locator('#notice').textContent()).toBe('')
})

test('without a token of a client, neither the list nor a release is sent', async () => {
  await serve('clients')
  const paths = ['/explore/releases.json', `/explore/releases/${old.release}`]
  const statuses = await Promise.all(paths.map(async (path) => (await server.get(path)).status))
  expect(statuses).toEqual([401, 401])
})
