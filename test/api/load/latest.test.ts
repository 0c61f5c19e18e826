import { expect, test } from 'vitest'
import { createLatest } from '../../../api/load/latest.ts'
import { waitFor } from '../../harness/wait-for.ts'

/** A loader whose every load waits until it is let through or failed. */
function gated(options: { reread?: (offer: (version: number) => void) => Promise<void> } = {}) {
  const started: number[] = []
  const faults: unknown[] = []
  let settle = Promise.withResolvers<void>()
  const latest = createLatest<number>({
    load: async (version) => {
      started.push(version)
      settle = Promise.withResolvers<void>()
      await settle.promise
    },
    reread: async () => {
      if (!options.reread) throw new Error('nothing to read')
      await options.reread(latest.offer)
    },
    onFault: (error) => faults.push((error as Error).message),
    retry: { baseMs: 5, capMs: 10 },
  })
  const begun = (count: number) => waitFor(`load ${count}`, () => started.length === count, { everyMs: 2 })
  return {
    latest,
    started,
    faults,
    begun,
    finish: () => settle.resolve(),
    fail: (why: string) => settle.reject(new Error(why)),
  }
}

test('one load runs at a time, and of what is offered meanwhile only the newest follows', async () => {
  const { latest, started, begun, finish } = gated()
  latest.offer(1)
  await begun(1)
  latest.offer(2)
  latest.offer(3)
  latest.offer(4)
  expect(started).toEqual([1])
  finish()
  await begun(2)
  expect(started).toEqual([1, 4])
  finish()
  await latest.stop()
})

test('a lower version offered later is loaded: a rollback is no fault', async () => {
  const { latest, started, begun, finish } = gated()
  latest.offer(9)
  await begun(1)
  finish()
  latest.offer(3)
  await begun(2)
  finish()
  await latest.stop()
  expect(started).toEqual([9, 3])
})

test('a load that fails is reported, and what is newest by then is read again and loaded', async () => {
  const { latest, started, faults, begun, finish, fail } = gated({ reread: async (offer) => offer(2) })
  latest.offer(1)
  await begun(1)
  fail('shard gone')
  await begun(2)
  finish()
  await latest.stop()
  expect({ started, faults }).toEqual({ started: [1, 2], faults: ['shard gone'] })
})

test('reading again that fails is tried again until it succeeds', async () => {
  let reads = 0
  const reread = async (offer: (version: number) => void) => {
    if (++reads < 3) throw new Error('server away')
    offer(7)
  }
  const { latest, started, faults, begun, finish, fail } = gated({ reread })
  latest.offer(1)
  await begun(1)
  fail('torn')
  await begun(2)
  finish()
  await latest.stop()
  expect({ started, faults }).toEqual({ started: [1, 7], faults: ['torn', 'server away', 'server away'] })
})

test('after a stop nothing more is loaded, and the stop waits for the load that runs', async () => {
  const { latest, started, begun, finish } = gated()
  latest.offer(1)
  await begun(1)
  latest.offer(2)
  let isStopped = false
  const stopping = latest.stop().then(() => (isStopped = true))
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(isStopped).toBe(false)
  finish()
  await stopping
  latest.offer(3)
  expect(started).toEqual([1])
})
