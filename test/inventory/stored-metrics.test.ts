import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InventoryStore } from '../../inventory/store.ts'
import { showQueue, showStorage } from '../../inventory/stored-metrics.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'
import { startApiProgram } from './programs.ts'

let opened: OpenedStore
beforeAll(async () => void (opened = await openedStore()))
afterAll(() => opened.close())

async function read(store: () => InventoryStore | undefined): Promise<Record<string, number>> {
  const registry = new Registry()
  showQueue(registry, store, Date.now)
  const metrics = await registry.getMetricsAsJSON()
  return Object.fromEntries(metrics.map(({ name, values }) => [name.replace('driveaway_', ''), values[0]!.value]))
}

test('an empty queue is shown as empty, and one with a batch by its length and the batch’s age', async () => {
  const store = () => opened.store
  expect(await read(store)).toEqual({
    ...{ queue_batches: 0, queue_oldest_seconds: 0, dead_letters: 0 },
  })
  const batch = {
    jobId: 'j',
    clientId: 'uploader',
    clientUid: 'u1',
    replays: 0,
    sequence: 1,
    text: '{}',
    acceptedAt: new Date(),
  }
  await opened.store.queue.publish('j', '{}', batch)
  await opened.store.deadLetters.keep(batch, 'broken')
  await sleep(1_100)
  const shown = await read(store)
  expect(shown).toMatchObject({ queue_batches: 1, dead_letters: 1 })
  expect(shown['queue_oldest_seconds']).toBeGreaterThan(1)
  expect(shown['queue_oldest_seconds']).toBeLessThan(30)
})

test('each stream and bucket is shown by its share of the bytes that it may take, and not at all while NATS is away', async () => {
  const registry = new Registry()
  let held: InventoryStore | undefined = opened.store
  showStorage(registry, () => held)
  await opened.store.requestRates.put('full', 'x'.repeat(1_000_000))
  const shown = async () =>
    (await registry.getMetricsAsJSON())[0]!.values.map(({ labels, value }) => [labels.store, value])
  const shares = Object.fromEntries(await shown()) as Record<string, number>
  const buckets = ['KV_idempotency', 'KV_jobs', 'KV_request_rates', 'KV_vehicles']
  const names = ['BATCHES', 'DEAD_LETTERS', ...buckets, 'LATE_PICTURES']
  expect(Object.keys(shares).sort()).toEqual(names)
  // Of a hundredth of the 1 GiB of the tests.
  expect(shares['KV_request_rates']).toBeCloseTo(1_000_000 / (1024 ** 3 / 100), 3)
  expect(shares['KV_vehicles']).toBe(0)
  held = undefined
  expect(await shown()).toEqual([])
})

test('while NATS is away the queue is not shown as empty', async () => {
  expect(Object.values(await read(() => undefined))).toEqual([NaN, NaN, NaN])
})

test('the API shows the queue and the stores, so that a queue without any worker is told of', async () => {
  const directory = temporaryDirectory('queue-of-api')
  const { path } = directory
  const api = await startApiProgram({ name: 'api', natsUrl: opened.nats.url, directory: path, clients: ['uploader'] })
  try {
    const shown = await waitFor('the queue', async () => {
      const text = await (await fetch(`${api.healthUrl}/metrics`)).text()
      return /^driveaway_queue_batches \d/m.test(text) && text
    })
    expect(shown).toMatch(/^driveaway_queue_oldest_seconds \d/m)
    expect(shown).toMatch(/^driveaway_dead_letters \d/m)
    expect(shown).toMatch(/^driveaway_storage_used_ratio\{store="KV_vehicles"\} \d/m)
    expect(shown).toMatch(/^driveaway_storage_promised_ratio\{store="KV_jobs"\} 0$/m)
  } finally {
    await api.stop()
    directory.remove()
  }
}, 60_000)
