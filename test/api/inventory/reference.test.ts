import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChromium, watchedPage } from '../../harness/chromium.ts'
import { expectEveryOperation, expectOwnHostOnly, operationOn } from '../../harness/reference-page.ts'
import { openedStore, type OpenedStore } from '../../inventory/opened-store.ts'
import { startUploadServer, type UploadServer } from '../../inventory/uploads.ts'

let opened: OpenedStore
let server: UploadServer
let browser: Browser
let page: Page
let requested: string[]
let complaints: string[]
beforeAll(async () => {
  opened = await openedStore()
  server = await startUploadServer(() => opened.store)
  browser = await startChromium()
  ;({ page, requested, complaints } = await watchedPage(browser))
  await page.goto(`${server.url}/docs`)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await opened?.close()
})

const operation = (id: string) => operationOn(page, id)

/** Sends an operation from the page; gives the status and the body that the page shows. */
async function execute(id: string): Promise<{ status: string; body: string }> {
  await operation(id).locator('button.execute').click()
  const live = operation(id).locator('.live-responses-table')
  await live.waitFor()
  const status = await live.locator('.response-col_status').last().innerText()
  return { status, body: await live.locator('.response-col_description pre').first().innerText() }
}

test('the reference shows every operation of the specification', async () => {
  await expectEveryOperation(page, 'createBatch', await server.get('/spec'))
})

test('a batch can be uploaded in it, and its job polled, with a token that is pasted', async () => {
  await page.locator('.btn.authorize').click()
  const scheme = page.locator('.modal-ux .auth-container', { has: page.locator('#auth-bearer-value') })
  await scheme.locator('#auth-bearer-value').fill(await server.token())
  await scheme.locator('button.authorize').click()
  await page.locator('.modal-ux .btn-done').first().click()
  await operation('createBatch').locator('.opblock-summary-control').click()
  const stored = await execute('createBatch')
  expect(stored.status).toMatch(/^201/)
  const jobId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stored.body)![0]
  await operation('getJob').locator('.opblock-summary-control').click()
  await operation('getJob').locator('input[placeholder="job_id"]').fill(jobId)
  const polled = await execute('getJob')
  expect(polled.status).toMatch(/^200/)
  expect(polled.body).toContain('"status": "processing"')
})

test('it asks nothing of any other host', () => {
  expectOwnHostOnly({ requested, complaints }, server.url)
})
