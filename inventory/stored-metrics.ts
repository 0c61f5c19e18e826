import { Gauge, type Registry } from 'prom-client'
import { askedGauges } from '#runtime/asked-gauge.ts'
import { BATCHES, BUCKETS, DEAD_LETTERS, LATE_PICTURES } from './storage.ts'
import type { InventoryStore } from './store.ts'

/**
 * Shows the queue, and the fill level of everything that inventory stores. The worker and the API both do: where no worker runs, the
 * queue grows, and somebody must be told.
 */
export function showInventory(registry: Registry, store: () => InventoryStore | undefined): void {
  showQueue(registry, store, Date.now)
  showStorage(registry, store)
}

/** Shows what waits in JetStream at each scrape; each process shows the same, so take the maximum. */
export function showQueue(registry: Registry, store: () => InventoryStore | undefined, clock: () => number): void {
  const gauge = askedGauges(registry, store)
  const streamState = async ({ manager }: InventoryStore, name: string) => (await manager.streams.info(name)).state
  gauge('driveaway_queue_batches', 'Accepted batches that are not finished.', async (opened) => {
    return (await streamState(opened, BATCHES)).messages
  })
  gauge('driveaway_queue_oldest_seconds', 'Age of the oldest unfinished batch in seconds.', async (opened) => {
    const { messages, first_ts: first } = await streamState(opened, BATCHES)
    return messages === 0 ? 0 : (clock() - Date.parse(first)) / 1000
  })
  gauge('driveaway_dead_letters', 'Batches that were given up and are kept as dead letters.', async (opened) => {
    return (await streamState(opened, DEAD_LETTERS)).messages
  })
}

/** Everything that inventory stores: streams, and the streams behind buckets. */
const STORES = [BATCHES, DEAD_LETTERS, LATE_PICTURES, ...Object.values(BUCKETS).map((bucket) => `KV_${bucket}`)]

/** Shows the fill level of each store: a full one refuses uploads, or stops workers from storing vehicles. */
export function showStorage(registry: Registry, store: () => InventoryStore | undefined): void {
  new Gauge({
    name: 'driveaway_storage_used_ratio',
    help: 'Bytes in a stream or bucket of NATS, divided by its limit.',
    labelNames: ['store'] as const,
    registers: [registry],
    async collect() {
      // No value rather than an old one while the store cannot be read.
      this.reset()
      const manager = store()?.manager
      if (!manager) return
      const shares = STORES.map(async (name) => {
        const { state, config } = await manager.streams.info(name)
        this.set({ store: name }, state.bytes / config.max_bytes)
      })
      await Promise.allSettled(shares)
    },
  })
}

/**
 * Shows what each store has and is owed by batches that wait, because that refuses uploads long before the store is full. Only the API
 * knows how long the jobs will be that it admitted; each process knows its own, so take the maximum.
 */
export function showPromised(registry: Registry, store: () => InventoryStore | undefined): void {
  new Gauge({
    name: 'driveaway_storage_promised_ratio',
    help: 'Bytes in a stream or bucket of NATS and those that waiting batches will add, divided by its limit.',
    labelNames: ['store'] as const,
    registers: [registry],
    async collect() {
      this.reset()
      const promised = await store()
        ?.room.promised()
        .catch(() => undefined)
      for (const [name, ratio] of promised ?? []) this.set({ store: name }, ratio)
    },
  })
}
