import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns, type Turns } from '../../runtime/turns.ts'

const PRODUCT = { atOnce: 24, ofOneClient: 6 }
const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

/** Work that does not end before it is told to. */
function lastingWork() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

function queue(
  turns: Turns,
  { count, signal, work }: { count: number; signal: AbortSignal; work: () => Promise<void> },
) {
  return Array.from({ length: count }, (_, number) => turns.take(`client ${number % 3}`, signal, work))
}

test('forty thousand that wait share one listener, and none is left when all have had their turn', async () => {
  const { signal } = new AbortController()
  const turns = createTurns(PRODUCT)
  const { work, end } = lastingWork()
  let done = 0
  const all = queue(turns, { count: 40_000, signal, work: () => work().then(() => void (done += 1)) })
  expect(listenersOf(signal)).toBe(1)
  end()
  await Promise.all(all)
  expect(done).toBe(40_000)
  expect(listenersOf(signal)).toBe(0)
})

test('what waits when its signal aborts is rejected with the reason, and what runs ends by itself', async () => {
  const [stopping, other] = [new AbortController(), new AbortController()]
  const turns = createTurns({ atOnce: 2, ofOneClient: 2 })
  const { work, end } = lastingWork()
  const all = queue(turns, { count: 100, signal: stopping.signal, work })
  const later = turns.take('other', other.signal, async () => 'later')
  stopping.abort(new Error('the worker is stopping'))
  const settled = Promise.allSettled(all)
  await nextTurn()
  end()
  const results = await settled
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
  expect(reasons).toEqual(Array.from({ length: 98 }, () => 'Error: the worker is stopping'))
  // Those that gave up take no place of the others.
  expect(await later).toBe('later')
  expect([listenersOf(stopping.signal), listenersOf(other.signal)]).toEqual([0, 0])
  await expect(turns.take('client 0', stopping.signal, work)).rejects.toThrow('the worker is stopping')
})

test('a signal that nobody waits with any more is listened to again', async () => {
  const stopping = new AbortController()
  const turns = createTurns({ atOnce: 1, ofOneClient: 1 })
  await turns.take('a', stopping.signal, async () => undefined)
  const { work, end } = lastingWork()
  const first = turns.take('a', stopping.signal, work)
  const second = turns.take('a', stopping.signal, work)
  await nextTurn()
  stopping.abort(new Error('stopping'))
  await expect(second).rejects.toThrow('stopping')
  end()
  await first
})
