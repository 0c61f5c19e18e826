import { expect, test } from 'vitest'
import { systemClock } from '#runtime/clock.ts'
import { pace } from '#runtime/pace.ts'

/** A clock on which time passes only while somebody sleeps. */
function clockAt(start: number) {
  const time = { now: start }
  const sleep = (ms: number) => {
    time.now = Math.max(time.now, time.now + ms)
    return Promise.resolve()
  }
  return { time, clock: { ...systemClock, elapsed: () => time.now, sleep } }
}

test('turns come at the rate, the first at once', async () => {
  const { time, clock } = clockAt(5000)
  const turn = pace(10, clock)
  const at: number[] = []
  for (let nth = 0; nth < 4; nth += 1) {
    await turn()
    at.push(time.now)
  }
  expect(at.map((each) => each - 5000)).toEqual([0, 0, 100, 200])
})

test('a rest does not save up a burst', async () => {
  const { time, clock } = clockAt(0)
  const turn = pace(10, clock)
  await turn()
  time.now = 60_000
  const before = time.now
  for (let nth = 0; nth < 12; nth += 1) await turn()
  expect(time.now - before).toBeGreaterThanOrEqual(1000)
})

test('turns are ten times rarer while they give way, and not fewer', async () => {
  const { time, clock } = clockAt(0)
  let givesWay = true
  const turn = pace(10, clock, () => givesWay)
  const at: number[] = []
  for (let nth = 0; nth < 4; nth += 1) {
    if (nth === 2) givesWay = false
    await turn()
    at.push(time.now)
  }
  // The first hundred milliseconds are those that a late timer may make up for.
  expect(at).toEqual([0, 900, 1900, 2000])
})
