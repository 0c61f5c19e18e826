import { expect, test } from 'vitest'
import { systemClock } from '#runtime/clock.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { configMapList, sendJson } from './scripted-server.ts'
import { hold, isWatch, watchScripted } from './scripted-watch.ts'

/** A clock on which a wait takes no time; returns the milliseconds of each. */
function hasty() {
  const waits: number[] = []
  const clock = { ...systemClock, sleep: (ms: number) => (waits.push(ms), Promise.resolve()) }
  return { waits, clock }
}

test('Retry-After is honoured, and the back-off grows while the server stays bad', async () => {
  const { requests, watch } = await watchScripted((url, response, nth) => {
    if (nth.list === 1) return sendJson(response, 429, { message: 'slow down' }, { 'retry-after': '1' })
    if (nth.list <= 4) return void response.destroy()
    if (!isWatch(url)) return sendJson(response, 200, configMapList('1', []))
    hold(response)
  })
  await watch.synced
  const gaps = requests.slice(1).map(({ at }, index) => at - requests[index]!.at)
  expect(gaps[0]).toBeGreaterThanOrEqual(990)
  // 100 ms doubled for attempts 1, 2 and 3, of which at least half is certain.
  expect(gaps[1]).toBeGreaterThanOrEqual(95)
  expect(gaps[2]).toBeGreaterThanOrEqual(195)
  expect(gaps[3]).toBeGreaterThanOrEqual(395)
})

test('a server or proxy that asks for an hour is asked again after ten seconds', async () => {
  const { waits, clock } = hasty()
  const { watch } = await watchScripted(
    (url, response, nth) => {
      if (nth.list === 1) return sendJson(response, 503, {}, { 'retry-after': '3600' })
      if (!isWatch(url)) return sendJson(response, 200, configMapList('1', []))
      hold(response)
    },
    { clock },
  )
  await watch.synced
  expect(waits).toEqual([10_000])
})

test('the back-off does not grow while streams are cut that were open for more than a second', async () => {
  const { waits, clock } = hasty()
  const { requests } = await watchScripted(
    (url, response) => {
      if (!isWatch(url)) return sendJson(response, 200, configMapList('1', []))
      hold(response)
      setTimeout(() => response.destroy(), 1_100)
    },
    { clock, random: () => 1 },
  )
  await waitFor('the fifth stream', () => requests.filter(({ url }) => isWatch(url)).length >= 5)
  expect(waits.slice(0, 4)).toEqual([100, 100, 100, 100])
})
