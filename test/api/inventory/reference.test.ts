import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChromium } from '../../harness/chromium.ts'
import { expectEveryOperation, expectOwnHostOnly, openReference, operationOn } from '../../harness/reference-page.ts'
import { openedStore, type OpenedStore } from '../../inventory/opened-store.ts'
import { startUploadServer, type UploadServer } from '../../inventory/uploads.ts'

let opened: OpenedStore
let server: UploadServer
let browser: Browser
beforeAll(async () => {
  opened = await openedStore()
  server = await startUploadServer(() => opened.store)
  browser = await startChromium()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await opened?.close()
})

/** Sends an operation from the page; gives the status and the body that the page shows. */
async function execute(page: Page, id: string): Promise<{ status: string; body: string }> {
  await operationOn(page, id).locator('button.execute').click()
  const live = operationOn(page, id).locator('.live-responses-table')
  await live.waitFor()
  const status = await live.locator('.response-col_status').last().innerText()
  return { status, body: await live.locator('.response-col_description pre').first().innerText() }
}

test('the reference shows every operation of the specification', async () => {
  const { page } = await openReference(browser, server.url)
  await expectEveryOperation(page, 'createBatch', await server.get('/spec'))
})

test('a batch can be uploaded in it, and its job polled, with a token that is pasted, and no other host is asked', async () => {
  const { page, requested, complaints } = await openReference(browser, server.url)
  await page.locator('.btn.authorize').click()
  const scheme = page.locator('.modal-ux .auth-container', { has: page.locator('#auth-bearer-value') })
  await scheme.locator('#auth-bearer-value').fill(await server.token())
  await scheme.locator('button.authorize').click()
  await page.locator('.modal-ux .btn-done').first().click()
  await operationOn(page, 'createBatch').locator('.opblock-summary-control').click()
  const stored = await execute(page, 'createBatch')
  expect(stored.status).toMatch(/^201/)
  const jobId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stored.body)![0]
  await operationOn(page, 'getJob').locator('.opblock-summary-control').click()
  await operationOn(page, 'getJob').locator('input[placeholder="job_id"]').fill(jobId)
  const polled = await execute(page, 'getJob')
  expect(polled.status).toMatch(/^200/)
  expect(polled.body).toContain('"status": "processing"')
  expectOwnHostOnly({ requested, complaints }, server.url)
})
