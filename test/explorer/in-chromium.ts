import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { startChromium, watchedPage } from '../harness/chromium.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

/** The explorer of a copy of the rate sets beside the rate sets themselves, and a page of a real Chromium for each test. */
export function explorerInChromium() {
  const folder = temporaryDirectory('explorer')
  const cache = temporaryDirectory('explorer-cache')
  const own = { folder: folder.path, victoria: join(folder.path, 'au-vic/fy27.yaml') } as Own
  let explorer: ChildProcess
  beforeAll(async () => {
    cpSync('rates/sets', folder.path, { recursive: true })
    const args = ['cli/main.ts', 'explore', folder.path, '--against', 'rates/sets', '--port', '0']
    explorer = spawn(process.execPath, args, { stdio: 'pipe', env: { ...process.env, XDG_CACHE_HOME: cache.path } })
    const [line] = (await once(explorer.stdout!, 'data')) as [Buffer]
    own.url = /^(http:\S+) /.exec(line.toString())![1]!
    own.browser = await startChromium()
  }, 180_000)
  afterAll(async () => {
    await own.browser?.close()
    explorer?.kill()
    folder.remove()
    cache.remove()
  })
  beforeEach(async () => {
    const watched = await watchedPage(own.browser)
    own.page = watched.page
    return async () => {
      // Nothing that the strict policy refuses, no error, and no other host.
      expect(watched.complaints).toEqual([])
      const isElsewhere = (address: string) => !address.startsWith(own.url) && !address.startsWith('data:')
      expect(watched.requested.filter(isElsewhere)).toEqual([])
      await own.page.close()
    }
  })
  return { own, open: (view: string, chosen?: Record<string, string>) => open(own, view, chosen) }
}

interface Own {
  folder: string
  /** The file of Victoria's rates of 2026-27 in the folder. */
  victoria: string
  url: string
  browser: Browser
  page: Page
}

/** Opens a view of a new SUV in Victoria in November 2026, with what is chosen otherwise. */
async function open({ url, page }: Own, view: string, chosen: Record<string, string> = {}): Promise<void> {
  const vehicle = { value: '90000', bodyType: 'suv', fuelType: 'ICE', condition: 'new', co2GPerKm: '150' }
  const registration = { pricingCode: 'AU_VIC', startDate: '2026-11-01', termMonths: '12', postcode: '3000' }
  await page.goto(`${url}#${new URLSearchParams({ view, ...registration, ...vehicle, ...chosen })}`)
  await drawn(page)
}

/** Resolves once the page has drawn what its address says. It draws after a new address, so until then it shows what was before. */
const drawn = (page: Page) =>
  expect.poll(() => page.evaluate(`document.querySelector('#views [aria-current]')?.hash === location.hash`)).toBe(true)

/** Adds a curve as a person does: chooses it in the list, presses the button, and sees it. */
export async function addCurve(page: Page, choice: string | { label: string }): Promise<void> {
  await page.locator('#compare').selectOption(choice)
  await page.locator('#add').click()
  await drawn(page)
}

/** The rows of a table by its caption, cell by cell. */
export const rowsOf = (page: Page, caption: string): Promise<string[][]> =>
  page
    .locator('table', { has: page.locator('caption', { hasText: caption }) })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')))
