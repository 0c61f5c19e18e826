import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { rateSetName } from '#rates/published/financial-year.ts'
import { snapshotOfBundle } from '#rates/release/bundle.ts'
import { contentOf } from '#rates/release/bundle-content.ts'
import { followArchive, type ReleaseArchive } from '../../api/releases/archive.ts'
import { startPricingServer, type PricingServer } from '../api/pricing-server.ts'
import { startChromium } from '../harness/chromium.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { inventedSet } from '../operator/invented-set.ts'
import { bundleOf, newReleaseKey } from '../rates/release/signed-bundle.ts'

/** A choice of New South Wales whose curve is drawn. */
export const VEHICLE = 'view=curve&pricingCode=AU_NSW&startDate=2026-11-01&termMonths=12&value=40000&condition=new'

type Content = ReturnType<typeof contentOf>

/** The release in which plates of New South Wales cost a fee. */
export const contentWith = (fee: string): Content =>
  contentOf(
    [inventedSet('AU'), inventedSet('AU_NSW', { fee })].map((spec) => ({
      name: rateSetName(spec.pricingCode, spec.financialYear),
      spec,
    })),
  )
export const [older, old, present] = [contentWith('10.00'), contentWith('20.00'), contentWith('30.00')] as const
export const OLD = { since: '2020-03-01T01:00:00.000Z', until: '2020-04-01T01:00:00.000Z' }
const OLDER = { since: '2020-02-01T01:00:00.000Z', until: OLD.since }
export const [OLD_NAME, OLDER_NAME] = ['Release of 1 March 2020 at 12:00 pm', 'Release of 1 February 2020 at 12:00 pm']

interface Kept {
  browser: Browser
  page: Page
  archive: ReleaseArchive
  server: PricingServer
}

/** A pricing API that keeps two earlier releases, and a page of a real Chromium, for each test. */
export function keptReleases(context: BrowserContextOptions = {}) {
  const folder = temporaryDirectory('explored-releases')
  const own = { folder: folder.path } as Kept & { folder: string }
  let keys: Awaited<ReturnType<typeof newReleaseKey>>
  beforeAll(async () => {
    keys = await newReleaseKey('r1', 'test')
    own.browser = await startChromium()
  }, 120_000)
  afterAll(async () => {
    await own.browser?.close()
    folder.remove()
  })

  async function put(name: string, content: Content, inForce: readonly { since: string; until: string }[]) {
    const bytes = await bundleOf(keys.signs, { environment: 'test', inForce }, content)
    writeFileSync(join(folder.path, '.new'), bytes)
    renameSync(join(folder.path, '.new'), join(folder.path, name))
  }

  async function serve(explorer: 'clients' | 'public' = 'public') {
    const trusted = () => ({ published: [keys.published], environment: 'test' })
    const log = { error: () => undefined, info: () => undefined }
    own.archive = followArchive({ folder: folder.path, trusted, log, everyMs: 20 })
    const settings = { archive: own.archive, keepDays: 400, explorer, explorerFollowsMs: 200 }
    own.server = await startPricingServer(snapshotOfBundle(present), undefined, settings)
  }

  beforeEach(async () => {
    await put('older.bundle', older, [OLDER])
    await put('old.bundle', old, [OLD])
    own.page = await own.browser.newPage({
      // In another time zone, the days of the names would be others.
      ...{ locale: 'en-AU', timezoneId: 'Australia/Sydney', viewport: { width: 1280, height: 1000 } },
      ...context,
    })
  })
  afterEach(async () => {
    await own.page.close()
    await Promise.all([own.archive.stop(), own.server.close()])
    for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name))
  })

  return {
    own,
    put,
    serve,
    open: (more = '', url = own.server.url) => own.page.goto(`${url}/explore/#${VEHICLE}${more}`),
    marked: (text: string) => own.page.locator('#view > p', { hasText: text }).waitFor(),
    refused: (text: string) => own.page.locator('#view .refused', { hasText: text }).waitFor(),
  }
}
