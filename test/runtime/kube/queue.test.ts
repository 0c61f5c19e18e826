import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { systemClock } from '#runtime/clock.ts'
import { createQueue, type Requeue, type QueueOptions } from '#runtime/kube/queue.ts'
import { createLog } from '#runtime/log.ts'

const log = createLog({ name: 'test', level: 'silent' })

/** A queue whose later runs wait in `planned` until the test lets them go. */
function queueWith(run: QueueOptions['run'], options: Partial<QueueOptions> = {}) {
  const planned: { ms: number; action: () => void; isCancelled: boolean }[] = []
  const after = (ms: number, action: () => void) => {
    const plan = { ms, action, isCancelled: false }
    planned.push(plan)
    return () => void (plan.isCancelled = true)
  }
  return {
    planned,
    queue: createQueue({ name: 'test', run, log, clock: { ...systemClock, after }, random: () => 1, ...options }),
  }
}

test('a key that is added many times before it starts runs once', async () => {
  const runs: string[] = []
  const { queue } = queueWith(async (key) => {
    runs.push(key)
    await sleep(5)
  })
  for (const key of ['first', 'a', 'b', 'a', 'a']) queue.add(key)
  await queue.idle()
  expect(runs).toEqual(['first', 'a', 'b'])
})

test('a key that is added while it runs, runs once more, and never twice at a time', async () => {
  let running = 0
  let most = 0
  let runs = 0
  const { queue } = queueWith(
    async () => {
      most = Math.max(most, ++running)
      runs += 1
      if (runs === 1) for (let nth = 0; nth < 3; nth += 1) queue.add('a')
      await sleep(5)
      running -= 1
    },
    { concurrency: 4 },
  )
  queue.add('a')
  await queue.idle()
  expect({ most, runs }).toEqual({ most: 1, runs: 2 })
})

test('different keys run side by side, up to the limit', async () => {
  let running = 0
  let most = 0
  const run = async () => {
    most = Math.max(most, ++running)
    await sleep(5)
    running -= 1
  }
  const { queue } = queueWith(run, { concurrency: 3 })
  for (let nth = 0; nth < 9; nth += 1) queue.add(`key-${nth}`)
  await queue.idle()
  expect(most).toBe(3)
})

test('a failing key waits longer each time, others go on, and a success starts the back-off anew', async () => {
  let fails = true
  const { queue, planned } = queueWith(async (key) => {
    if (key === 'bad' && fails) throw new Error('no')
  })
  const goOn = async () => {
    planned.at(-1)?.action()
    await queue.idle()
  }
  queue.add('bad')
  queue.add('good')
  await queue.idle()
  await goOn()
  await goOn()
  expect(planned.map(({ ms }) => ms)).toEqual([100, 200, 400])
  fails = false
  await goOn()
  expect(planned).toHaveLength(3)
  fails = true
  queue.add('bad')
  await queue.idle()
  expect(planned.at(-1)?.ms).toBe(100)
})

test('a run that throws at once is a failure like any other', async () => {
  const { queue, planned } = queueWith(() => {
    throw new Error('not even a promise')
  })
  queue.add('a')
  await queue.idle()
  expect(planned).toHaveLength(1)
})

test('the longest back-off is the cap', async () => {
  const { queue, planned } = queueWith(() => Promise.reject(new Error('no')), { retry: { baseMs: 10, capMs: 25 } })
  queue.add('a')
  for (let nth = 0; nth < 4; nth += 1) {
    await queue.idle()
    planned.at(-1)?.action()
  }
  await queue.idle()
  expect(planned.map(({ ms }) => ms)).toEqual([10, 20, 25, 25, 25])
})

test('an outcome of `after` runs the key again then, and an add before that takes its place', async () => {
  const outcomes: Requeue[] = [{ after: 5_000 }, undefined]
  const { queue, planned } = queueWith(() => Promise.resolve(outcomes.shift()))
  queue.add('a')
  await queue.idle()
  expect(planned.map(({ ms }) => ms)).toEqual([5_000])
  queue.add('a')
  await queue.idle()
  expect(planned[0]?.isCancelled).toBe(true)
  expect(outcomes).toEqual([])
})

test('of two times for one key the earlier one holds', () => {
  const { queue, planned } = queueWith(() => Promise.resolve())
  queue.addAfter('a', 1_000)
  queue.addAfter('a', 9_000)
  queue.addAfter('a', 10)
  expect(planned.map(({ ms, isCancelled }) => [ms, isCancelled])).toEqual([
    [1_000, true],
    [10, false],
  ])
})

test('stop waits for what runs, drops what waits, and takes nothing more', async () => {
  const runs: string[] = []
  let ended = false
  const { queue, planned } = queueWith(async (key) => {
    runs.push(key)
    await sleep(20)
    ended = true
    throw new Error('a failure at the end plans nothing')
  })
  queue.add('a')
  queue.add('b')
  queue.addAfter('c', 10)
  await queue.stop()
  queue.add('d')
  await queue.idle()
  expect({ runs, ended }).toEqual({ runs: ['a'], ended: true })
  expect(planned.map(({ isCancelled }) => isCancelled)).toEqual([true])
})

test('with the timers of the system a delayed key runs after its time', async () => {
  const startedAt = performance.now()
  const ran = Promise.withResolvers<number>()
  const queue = createQueue({ name: 'test', log, run: async () => ran.resolve(performance.now() - startedAt) })
  queue.addAfter('a', 50)
  expect(await ran.promise).toBeGreaterThanOrEqual(49)
})

test('runs are counted by outcome, for several queues in one registry', async () => {
  const registry = new Registry()
  const { queue } = queueWith(() => Promise.resolve(), { registry })
  const { queue: failing } = queueWith(() => Promise.reject(new Error('no')), { registry, name: 'failing' })
  queue.add('a')
  failing.add('a')
  await Promise.all([queue.idle(), failing.idle()])
  const { values } = (await registry.getSingleMetric('driveaway_kube_queue_runs_total')?.get()) ?? { values: [] }
  expect(values).toMatchObject([
    { labels: { queue: 'test', outcome: 'done' }, value: 1 },
    { labels: { queue: 'failing', outcome: 'failed' }, value: 1 },
  ])
})
