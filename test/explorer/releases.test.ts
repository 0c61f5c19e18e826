import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { addCurve } from './in-chromium.ts'
import { contentWith, keptReleases, old, OLD, OLD_NAME, older, OLDER_NAME } from './kept-releases.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const { own, put, serve, open, marked, refused } = keptReleases()

test('another kept release is chosen from a list, its curve has its own prices, and the link restores it', async () => {
  await serve()
  await open()
  const listed = own.page.locator('#compare optgroup[label="Another release"] option')
  await expect.poll(() => listed.allTextContents()).toEqual([OLD_NAME, OLDER_NAME])
  await addCurve(own.page, { label: OLD_NAME })
  await marked(`$40,030.00 (${OLD_NAME})`)
  expect(own.page.url()).toContain(encodeURIComponent(`release:${old.release}`))
  await addCurve(own.page, { label: OLDER_NAME })
  await marked(`$40,020.00 (${OLDER_NAME})`)
  await own.page.reload()
  await marked(`$40,030.00 (${OLD_NAME}); $40,020.00 (${OLDER_NAME})`)
  expect(await own.page.locator('.legend li').count()).toBe(3)
  await own.page.evaluate(AXE)
  const found = (await own.page.evaluate('axe.run()')) as { violations: { id: string }[] }
  expect(found.violations.map(({ id }) => id)).toEqual([])
  await own.page.locator('button', { hasText: `Remove ${OLD_NAME}` }).click()
  await expect.poll(() => own.page.locator('.legend li').count()).toBe(2)
  await expect.poll(() => listed.allTextContents()).toEqual([OLD_NAME])
})

test('a release that is not kept, or is no release, says why, and the other curves are drawn', async () => {
  await serve()
  const unknown = `sha256:${'0'.repeat(64)}`
  await open(`&with=release:${unknown},release:yesterday,release:${old.release}`)
  await refused('Release 000000000000: This release is not kept.')
  await refused('“yesterday” is no release: that is sha256: and 64 digits.')
  await marked(`$40,030.00 (${OLD_NAME})`)
})

test('a release that is deleted while its curve is drawn stays until a reload, which says why, and comes back with its file', async () => {
  await serve()
  await open(`&with=release:${old.release}`)
  await marked(`$40,030.00 (${OLD_NAME})`)
  rmSync(join(own.folder, 'old.bundle'))
  await waitFor('the archive', () => own.archive.list()?.length === 1)
  await marked('$40,030.00 (Release')
  await own.page.reload()
  await refused('This release is not kept. Remove its curve, or choose another release.')
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
      (await own.page.locator('#compare optgroup[label="Another release"] option').allTextContents()).toSorted(),
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
  await expect.poll(() => own.page.evaluate<string>(kept), { timeout: 30_000 }).toMatch(/releases\/sha256/)
  await own.server.close()
  await own.page.reload()
  await own.page.locator('footer', { hasText: 'these are the rates of your last visit' }).waitFor()
  await marked(`$40,030.00 (${OLD_NAME})`)
})

test('a token that has expired when a release is chosen is asked for again, and then the curve is drawn', async () => {
  await serve('clients')
  await open()
  await own.page.locator('[name=token]').fill(await own.server.token())
  await own.page.keyboard.press('Enter')
  await own.page.locator('#compare optgroup[label="Another release"]').waitFor({ state: 'attached' })
  own.server.advance(2 * 3_600_000)
  await addCurve(own.page, { label: OLD_NAME })
  await own.page.locator('#notice h2', { hasText: 'Your access token is not accepted any more' }).waitFor()
  await own.page.locator('[name=token]').fill(await own.server.token())
  await own.page.keyboard.press('Enter')
  await marked(`$40,030.00 (${OLD_NAME})`)
  expect(await own.page.locator('#notice').textContent()).toBe('')
})

test('without a token of a client, neither the list nor a release is sent', async () => {
  await serve('clients')
  const paths = ['/explore/releases.json', `/explore/releases/${old.release}`]
  const statuses = await Promise.all(paths.map(async (path) => (await own.server.get(path)).status))
  expect(statuses).toEqual([401, 401])
})
