import { afterEach, expect, test } from 'vitest'
import { pageFiles } from '#explorer/page-files.ts'
import { serveExplorer } from '#explorer/serve.ts'
import { servedOf } from '#explorer/served.ts'
import { snapshotOfBundle } from '#rates/release/bundle.ts'
import { keptReleases, old, OLD_NAME, older, present, VEHICLE } from './kept-releases.ts'
import { openWay, type WayTo } from './way-to.ts'

// The server is away for a while, or some of its answers are.
const { own, serve, open, marked } = keptReleases()
const footer = () => own.page.locator('footer').textContent()
const LONG = { timeout: 30_000 }

let way: WayTo | undefined
afterEach(() => way?.close())

const copies = () =>
  own.page.evaluate<string[]>(
    `caches.open('driveaway-explorer').then((kept) => kept.keys()).then((all) => all.map(({ url }) => url))`,
  )
/** How often the page has looked for newer rates. */
const looks = () => way!.passed.filter((path) => path.endsWith('/rates.json')).length
const hasCopyOf = async (name: string) => (await copies()).some((url) => url.includes(name))

test('when driveaway explore ends the foot says so and what to do, and recovers when it is back, also after a reload', async () => {
  await serve()
  const files = await pageFiles()
  const rates = servedOf('rates/sets', snapshotOfBundle(present))
  let explorer = await serveExplorer(files, rates)
  const port = Number(new URL(explorer.url).port)
  try {
    await own.page.goto(`${explorer.url}#${VEHICLE}`)
    await expect.poll(() => hasCopyOf('rates.json'), LONG).toBe(true)
    await explorer.stop()
    const ended = `The server does not answer. If driveaway explore has ended, start it with --port ${port}.`
    await expect.poll(footer, LONG).toContain(ended)
    explorer = await serveExplorer(files, rates, port)
    await expect.poll(footer, LONG).not.toContain('does not answer')
    await explorer.stop()
    await own.page.reload()
    await expect.poll(footer, LONG).toContain('these are the rates of your last visit')
    explorer = await serveExplorer(files, rates, port)
    await expect.poll(footer, LONG).not.toContain('last visit')
    expect(await footer()).not.toContain('does not answer')
  } finally {
    await explorer.stop()
  }
})

test('a server that is back before a reloaded page follows it ends the last visit at the foot', async () => {
  await serve()
  const files = await pageFiles()
  const rates = servedOf('rates/sets', snapshotOfBundle(present))
  let explorer = await serveExplorer(files, rates)
  // The page connects when the test says so, and never in vain.
  await own.page.addInitScript('window.events = new EventTarget(); window.EventSource = function () { return events }')
  try {
    await own.page.goto(`${explorer.url}#${VEHICLE}`)
    await expect.poll(() => hasCopyOf('rates.json'), LONG).toBe(true)
    await explorer.stop()
    await own.page.reload()
    await expect.poll(footer, LONG).toContain('these are the rates of your last visit')
    explorer = await serveExplorer(files, rates, Number(new URL(explorer.url).port))
    await own.page.evaluate(`events.dispatchEvent(new Event('open'))`)
    await expect.poll(footer).not.toContain('last visit')
  } finally {
    await explorer.stop()
  }
})

test('after a reload without the server the foot recovers when the server is back with the same release', async () => {
  await serve()
  way = await openWay(own.server.url)
  await open('', way.url)
  await expect.poll(() => hasCopyOf('rates.json'), LONG).toBe(true)
  way.isDown = true
  await own.page.reload()
  await expect.poll(footer, LONG).toContain('these are the rates of your last visit')
  way.isDown = false
  await expect.poll(footer, LONG).not.toContain('last visit')
  expect(await footer()).not.toContain('does not answer')
})

test('releases that do not come are ended when they are removed, two at most are loaded at once, and looks go on', async () => {
  await serve()
  way = await openWay(own.server.url)
  await open('', way.url)
  await expect.poll(() => hasCopyOf('rates.json'), LONG).toBe(true)
  way.holds = '/releases/'
  const unknown = (digit: string) => `release:sha256:${digit.repeat(64)}`
  await open(`&with=release:${old.release},release:${older.release},${unknown('1')}`, way.url)
  await expect.poll(() => way!.waiting.size, LONG).toBe(2)
  for (const digit of ['2', '3', '4', '5', '6', '7']) await open(`&with=${unknown(digit)}`, way.url)
  await expect.poll(() => way!.waiting.size, LONG).toBe(1)
  const before = looks()
  await expect.poll(looks, LONG).toBeGreaterThan(before + 3)
  await own.page.locator('button', { hasText: 'Remove' }).click()
  await expect.poll(() => way!.waiting.size, LONG).toBe(0)
  way.holds = undefined
  await open(`&with=release:${old.release}`, way.url)
  await marked(`$40,030.00 (${OLD_NAME})`)
})

test('a release that is being loaded is not asked for once more when a worker can keep it', async () => {
  await serve()
  way = await openWay(own.server.url)
  way.holds = '/releases/'
  let asked = 0
  own.page.on('request', (request) => (asked += request.url().includes('/releases/') ? 1 : 0))
  await open(`&with=release:${old.release}`, way.url)
  await expect.poll(() => hasCopyOf('rates.json'), LONG).toBe(true)
  const before = looks()
  await expect.poll(looks, LONG).toBeGreaterThan(before + 2)
  expect(asked).toBe(1)
})

test('when a page ends a request, every request of this page for the same address is ended', async () => {
  await serve()
  way = await openWay(own.server.url)
  await open('', way.url)
  await expect.poll(() => hasCopyOf('rates.json'), LONG).toBe(true)
  way.holds = '/releases/'
  const url = `${way.url}/explore/releases/${old.release}`
  // Its cache would hold the second one back until the first is answered.
  const twice = `for (const cache of ['no-store', 'no-store']) void fetch('${url}', { cache }).catch(() => undefined)`
  await own.page.evaluate(twice)
  await expect.poll(() => way!.waiting.size, LONG).toBe(2)
  await own.page.evaluate(`navigator.serviceWorker.controller.postMessage({ ended: '${url}' })`)
  await expect.poll(() => way!.waiting.size, LONG).toBe(0)
})

test('a release whose answer breaks off is drawn from its copy, which stays', async () => {
  await serve()
  way = await openWay(own.server.url)
  await open(`&with=release:${old.release}`, way.url)
  await expect.poll(async () => (await hasCopyOf('rates.json')) && hasCopyOf('/releases/'), LONG).toBe(true)
  way.cuts = '/releases/'
  await own.page.reload()
  await marked(`$40,030.00 (${OLD_NAME})`)
  expect(await hasCopyOf('/releases/')).toBe(true)
})

test('with a renewed token a drawn release is kept for a reload without the server', async () => {
  await serve('clients')
  way = await openWay(own.server.url)
  await open(`&with=release:${old.release}`, way.url)
  const enter = async () => {
    await own.page.locator('[name=token]').fill(await own.server.token())
    await own.page.keyboard.press('Enter')
  }
  await enter()
  await expect.poll(() => hasCopyOf('/releases/'), LONG).toBe(true)
  own.server.advance(2 * 3_600_000)
  await own.page.locator('#notice h2', { hasText: 'Your access token is not accepted any more' }).waitFor()
  await expect.poll(() => hasCopyOf('rates.json'), LONG).toBe(false)
  await enter()
  await expect.poll(async () => (await hasCopyOf('rates.json')) && hasCopyOf('/releases/'), LONG).toBe(true)
  way.isDown = true
  await own.page.reload()
  await marked(`$40,030.00 (${OLD_NAME})`)
})
