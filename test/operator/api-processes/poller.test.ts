import { expect, test } from 'vitest'
import type { Loaded } from '#rates/published/format.ts'
import { systemClock } from '#runtime/clock.ts'
import { createLoadedPoller, isBehind } from '../../../operator/api-processes/poller.ts'

const loaded = (release: string): Loaded => ({
  ...{ program: 'api', instance: 'test', formatVersions: [2, 1], loadedAt: null, lastError: null },
  ...{ release, sequence: 1, sets: { 'au-fy27': release }, clients: { digest: 'x', sequence: 1 }, signingKeys: [] },
})

/** A poller of processes whose answers the test sets, round by round. */
function polled(answers: Record<string, Loaded | undefined>) {
  const rounds: (() => void)[] = []
  const changes: number[] = []
  const published = { release: 'one' }
  const after = (_: number, action: () => void) => {
    rounds.push(action)
    return () => void rounds.splice(rounds.indexOf(action), 1)
  }
  const ask = (url: string) => (answers[url] ? Promise.resolve(answers[url]) : Promise.reject(new Error('away')))
  const clock = { ...systemClock, after, elapsed: () => 0 }
  const poller = createLoadedPoller({ urls: () => Object.keys(answers), ask, clock })
  const isCurrent = (process: { loaded?: Loaded }) => process.loaded?.release === published.release
  poller.start({ isCurrent, isAwaited: () => false, onChange: () => changes.push(1) })
  const round = async () => {
    rounds.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { poller, published, changes, round, answers }
}

test('a process is behind after three missed answers, not one, and keeps its last answer until then', async () => {
  const { poller, answers, changes, round } = polled({ 'http://a': loaded('one') })
  await round()
  answers['http://a'] = undefined
  changes.length = 0
  for (let missed = 1; missed <= 2; missed += 1) {
    await round()
    expect(poller.processes().map((each) => [each.loaded?.release, isBehind(each)])).toEqual([['one', false]])
  }
  expect(changes).toEqual([])
  await round()
  expect(poller.processes().map((each) => [each.loaded, isBehind(each)])).toEqual([[undefined, true]])
  expect(changes).toEqual([1])
})

test('a process is behind after three different answers, and no more after one that is as published', async () => {
  const { poller, answers, published, round } = polled({ 'http://a': loaded('one') })
  await round()
  published.release = 'two'
  const behind: boolean[] = []
  for (let answer = 1; answer <= 3; answer += 1) {
    await round()
    behind.push(poller.processes().some(isBehind))
  }
  answers['http://a'] = loaded('two')
  await round()
  expect([...behind, poller.processes().some(isBehind)]).toEqual([false, false, true, false])
})

test('a process that is behind keeps its last answer through a missed one', async () => {
  const { poller, answers, published, round } = polled({ 'http://a': loaded('one') })
  await round()
  published.release = 'two'
  for (let answer = 1; answer <= 3; answer += 1) await round()
  answers['http://a'] = undefined
  await round()
  expect(poller.processes().map(({ loaded }) => loaded?.release)).toEqual(['one'])
})

test('the audience of a publication are the processes that ran then; who starts later is not waited for', async () => {
  const { poller, answers, round } = polled({ 'http://a': loaded('one'), 'http://b': loaded('one') })
  await round()
  poller.published('rates', { sequence: 2 })
  answers['http://c'] = loaded('one')
  await round()
  const urls = () => poller.audience('rates').map(({ url }) => url)
  expect(urls()).toEqual(['http://a', 'http://b'])
  delete answers['http://a']
  await round()
  expect(urls()).toEqual(['http://b'])
  delete answers['http://b']
  await round()
  expect(urls()).toEqual(['http://c'])
})

test('what a process answered before a publication says nothing of what it serves now', async () => {
  const { poller, round, changes } = polled({ 'http://a': loaded('one') })
  await round()
  poller.published('rates', { sequence: 2 })
  expect(poller.audience('rates').map((each) => each.loaded)).toEqual([undefined])
  changes.length = 0
  await round()
  await round()
  // That it says the same again is news once: before, nobody could know.
  expect(changes).toEqual([1])
  expect(poller.audience('rates').map((each) => each.loaded?.release)).toEqual(['one'])
})
