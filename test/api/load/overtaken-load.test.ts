import { expect, test } from 'vitest'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { createLatest } from '../../../api/load/latest.ts'
import { createShardCache } from '../../../api/load/shard-cache.ts'

/** A clock that goes only as far as it is told. */
function handClock() {
  let now = 0
  const due = new Set<{ at: number; action: () => void }>()
  const clock: Clock = {
    ...systemClock,
    elapsed: () => now,
    after: (ms, action) => {
      const timer = { at: now + ms, action }
      due.add(timer)
      return () => due.delete(timer)
    },
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const pass = async (ms: number) => {
    now += ms
    for (const timer of due) if (timer.at <= now && due.delete(timer)) timer.action()
    await settled()
  }
  return { clock, pass, settled }
}

/** A loader whose requests have no answer, until they are answered or aborted. */
function unanswered() {
  const { clock, pass, settled } = handClock()
  const started: number[] = []
  const loaded: number[] = []
  const faults: unknown[] = []
  let answer = () => {}
  const latest = createLatest<number>({
    load: async (version, signal) => {
      started.push(version)
      await new Promise<void>((resolve, reject) => {
        answer = resolve
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
      loaded.push(version)
    },
    reread: () => Promise.reject(new Error('nothing to read')),
    onFault: (error) => faults.push(error),
    clock,
  })
  const offer = async (version: number) => {
    latest.offer(version)
    await settled()
  }
  const stop = () => {
    answer()
    return latest.stop()
  }
  return { offer, pass, stop, started, loaded, faults, answer: () => (answer(), settled()) }
}

test('a load without an answer gives way to a newer version after a second, which is no fault', async () => {
  const { offer, pass, stop, started, loaded, faults, answer } = unanswered()
  await offer(1)
  await pass(300)
  await offer(2)
  await pass(600)
  expect(started).toEqual([1])
  await pass(200)
  expect(started).toEqual([1, 2])
  await answer()
  expect({ loaded, faults }).toEqual({ loaded: [2], faults: [] })
  await stop()
})

test('a load that has gone on for a second gives way at once', async () => {
  const { offer, pass, stop, started } = unanswered()
  await offer(1)
  await pass(5_000)
  expect(started).toEqual([1])
  await offer(2)
  await pass(0)
  expect(started).toEqual([1, 2])
  await stop()
})

test('a stream of new versions does not hinder every load: the time that a load gets doubles each time', async () => {
  const { offer, pass, stop, started, loaded, answer } = unanswered()
  await offer(0)
  // Each load needs three seconds, and versions come four times a second.
  let since = 0
  for (let version = 1; loaded.length === 0 && version < 100; version++) {
    const begun = started.length
    await offer(version)
    await pass(250)
    since = started.length === begun ? since + 250 : 0
    if (since >= 3_000) await answer()
  }
  expect(started).toHaveLength(4)
  expect(loaded).toEqual([started[2]])
  // After a success, a load gets one second again.
  await offer(100)
  await pass(1_000)
  expect(started).toHaveLength(5)
  await stop()
})

test('the time that a load gets is never more than 64 seconds', async () => {
  const { offer, pass, stop, started } = unanswered()
  await offer(0)
  for (let version = 1; version <= 10; version++) {
    await offer(version)
    await pass(64_000)
  }
  expect(started).toHaveLength(11)
  await stop()
})

test('what an aborted load has read is not read again, and what the last whole load read neither', async () => {
  const read: string[] = []
  const abort = new AbortController()
  const { read: readShards } = createShardCache((name, signal) => {
    read.push(name)
    if (name !== 'lost') return Promise.resolve(`text of ${name}`)
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
  })
  await readShards(['a', 'b'])
  const aborted = readShards(['a', 'lost', 'c'], abort.signal)
  const refused = expect(aborted).rejects.toThrow('overtaken')
  await new Promise((resolve) => setImmediate(resolve))
  abort.abort(new Error('overtaken'))
  await refused
  expect(read.toSorted()).toEqual(['a', 'b', 'c', 'lost'])
  const texts = await readShards(['a', 'b', 'c', 'd'])
  expect(read.slice(4)).toEqual(['d'])
  expect(Object.fromEntries(texts)).toEqual({ ...{ a: 'text of a', b: 'text of b' }, c: 'text of c', d: 'text of d' })
})
