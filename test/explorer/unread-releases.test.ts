import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { keptReleases, old, OLD_NAME } from './kept-releases.ts'

// Answers are replaced on their way to the page, which a worker of the browser would hide.
const { own, serve, open, marked, refused } = keptReleases({ serviceWorkers: 'block' })

/** Answers each request for a release; the result counts them. */
async function answered(how: (route: Route) => unknown): Promise<() => number> {
  let asked = 0
  await own.page.route('**/releases/**', (route) => {
    asked += 1
    return how(route)
  })
  return () => asked
}

const AGAIN = 'The page tries again by itself.'
const json = (status: number, body: string) => (route: Route) =>
  route.fulfill({ status, contentType: 'application/json', body })

test.each([
  ['500', json(500, '{}'), `The server cannot send it at present (500). ${AGAIN}`],
  ['503', json(503, '{"message":"Too many are read."}'), 'at present (503: Too many are read).'],
  ['429', json(429, '{"message":"RATE_LIMITED"}'), `The server has too many requests at present. ${AGAIN}`],
  [
    'a page to sign in',
    (route: Route) => route.fulfill({ contentType: 'text/html', body: '<html>' }),
    'Something else answered in place of the server, perhaps a page to sign in.',
  ],
  ['a part of the answer', json(200, '{"release":"sha2'), `The answer of the server is not whole. ${AGAIN}`],
  ['no answer', (route: Route) => route.abort(), `The server does not answer. ${AGAIN}`],
  ['another release', json(200, '{"release":"sha256:0"}'), `The server sent another release. ${AGAIN}`],
])('after %s the fault stays, is said in English, and is not asked for at each look', async (_, how, said) => {
  await serve()
  const asked = await answered(how)
  await own.page.clock.install()
  await open(`&with=release:${old.release}`)
  await refused(said)
  expect(await own.page.locator('#view .refused').textContent()).toMatch(new RegExp(`^${OLD_NAME}: [A-Z]`))
  const waiting = `window.waited = 0; new MutationObserver(() => {
    if (document.querySelector('#view').textContent.includes('being loaded')) window.waited += 1
  }).observe(document.querySelector('#view'), { childList: true })`
  await own.page.evaluate(waiting)
  // Dozens of looks for newer rates, and the first two times that the page tries again by itself.
  for (const seconds of [4, 2, 9, 2]) {
    await own.page.clock.runFor(seconds * 1000)
    await refused(said)
  }
  // An attempt that ends late begins the next wait late, by seconds.
  for (let step = 0; asked() < 3 && step < 20; step++) await own.page.clock.runFor(500)
  await expect.poll(asked).toBe(3)
  expect(await own.page.evaluate('window.waited')).toBe(0)
  await own.page.unroute('**/releases/**')
  await own.page.clock.runFor(20_000)
  await marked(`$40,030.00 (${OLD_NAME})`)
})

test('a release that cannot be compiled says so, and is read once', async () => {
  await serve()
  const content = { ...old, sets: old.sets.map((set) => ({ ...set, spec: { ...set.spec, rules: undefined } })) }
  const asked = await answered(json(200, JSON.stringify(content)))
  await own.page.clock.install()
  await open(`&with=release:${old.release}`)
  await refused('This release cannot be shown: this page does not know the form of its rates. Remove its curve')
  await own.page.clock.runFor(60_000)
  expect(asked()).toBe(1)
})

test('a release without the state says so', async () => {
  await serve()
  const content = { ...old, sets: old.sets.filter(({ spec }) => spec.pricingCode === 'AU') }
  await answered(json(200, JSON.stringify(content)))
  await open(`&with=release:${old.release}`)
  await refused(`${OLD_NAME}: This release has no rates of New South Wales.`)
})

test('a release that does not come has 30 seconds; then the page says so, and tries again', async () => {
  await serve()
  await answered(() => undefined)
  await own.page.clock.install()
  await open(`&with=release:${old.release}`)
  await own.page.locator('#view .incomplete', { hasText: 'being loaded' }).waitFor()
  await own.page.clock.runFor(31_000)
  await refused(`The server did not send all within 30 seconds. ${AGAIN}`)
  await own.page.unroute('**/releases/**')
  await own.page.clock.runFor(6000)
  await marked(`$40,030.00 (${OLD_NAME})`)
})

test('a screen reader hears that a release is loaded, drawn or refused, and nothing at each look', async () => {
  await serve()
  let release: (() => void) | undefined
  await answered((route) => {
    release = () => void route.continue()
  })
  await open(`&with=release:${old.release}`)
  const said = own.page.locator('#said[role=status]')
  await expect
    .poll(() => said.textContent(), { timeout: 10_000 })
    .toContain(`${OLD_NAME}: The rates of this release are being loaded.`)
  release!()
  await expect.poll(() => said.textContent(), { timeout: 10_000 }).toMatch(new RegExp(`Curves: .*; ${OLD_NAME}\\.$`))
  const heard = `window.heard = 0; for (const one of document.querySelectorAll('[role=status]'))
    new MutationObserver(() => (window.heard += 1)).observe(one, { childList: true, characterData: true, subtree: true })`
  await own.page.evaluate(heard)
  let looks = 0
  own.page.on('response', (response) => void (looks += response.url().endsWith('/rates.json') ? 1 : 0))
  await expect.poll(() => looks).toBeGreaterThan(3)
  expect(await own.page.evaluate('window.heard')).toBe(0)
  await own.page.unroute('**/releases/**')
  await answered(json(500, ''))
  await open(`&with=release:${old.release},release:sha256:${'0'.repeat(64)}`)
  await expect
    .poll(() => said.textContent(), { timeout: 10_000 })
    .toContain('The server cannot send it at present (500).')
})
