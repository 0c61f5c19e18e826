import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { watchedPage, type WatchedPage } from './chromium.ts'

/** The reference of a server, on a page of the running test's own. */
export async function openReference(browser: Browser, url: string): Promise<WatchedPage> {
  const watched = await watchedPage(browser)
  onTestFinished(() => watched.page.close())
  await watched.page.goto(`${url}/docs`)
  return watched
}

/** One operation on the page. */
export const operationOn = (page: Page, id: string) => page.locator(`.opblock[id$="${id}"]`)

/** The page shows all that the specification has, one of which is `id`. */
export async function expectEveryOperation(page: Page, id: string, specification: Response): Promise<void> {
  await operationOn(page, id).waitFor()
  const { paths } = (await specification.json()) as { paths: Record<string, Record<string, unknown>> }
  const count = Object.values(paths).flatMap((methods) => Object.keys(methods)).length
  expect(await page.locator('.opblock').count()).toBe(count)
}

/** The page asked its own server only, and neither its scripts nor its policy complained. */
export function expectOwnHostOnly({ requested, complaints }: Omit<WatchedPage, 'page'>, url: string): void {
  expect(requested.length).toBeGreaterThan(4)
  expect(requested.filter((one) => !one.startsWith(url) && !one.startsWith('data:'))).toEqual([])
  expect(complaints).toEqual([])
}
