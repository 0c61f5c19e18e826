import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { Kvm, type KV } from '@nats-io/kv'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Logger } from '#runtime/log.ts'
import { followNats, type FollowedNats } from '#runtime/nats/connection.ts'
import { batchQueue, type BatchQueue } from './batch-queue.ts'
import { deadLetters, type DeadLetters } from './dead-letters.ts'
import { ensureStorage } from './ensure-storage.ts'
import { idempotencyKeysIn, type IdempotencyKeys } from './idempotency.ts'
import { jobsIn, type Jobs } from './jobs.ts'
import { BUCKETS, type StorageSettings } from './storage.ts'
import { vehiclesIn, type Vehicles } from './vehicles.ts'

/** Everything that inventory keeps, on one connection. */
export interface InventoryStore {
  connection: NatsConnection
  manager: JetStreamManager
  queue: BatchQueue
  deadLetters: DeadLetters
  jobs: Jobs
  vehicles: Vehicles
  idempotency: IdempotencyKeys
  requestRates: KV
}

/** Milliseconds after which a server that has not answered counts as away. */
const ANSWER_MS = 5_000

/** The store on a connection; it does not look whether the storage is there. */
export async function openStore(connection: NatsConnection): Promise<InventoryStore> {
  const client = jetstream(connection, { timeout: ANSWER_MS })
  const manager = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false })
  const buckets = new Kvm(client)
  const open = (name: string) => buckets.open(name, { allow_direct: false })
  return {
    connection,
    manager,
    queue: batchQueue(client, manager),
    deadLetters: deadLetters(client, manager),
    jobs: jobsIn(await open(BUCKETS.jobs)),
    vehicles: vehiclesIn(await open(BUCKETS.vehicles)),
    idempotency: idempotencyKeysIn(await open(BUCKETS.idempotency)),
    requestRates: await open(BUCKETS.requestRates),
  }
}

export interface FollowedStore extends Pick<FollowedNats, 'ready' | 'stop'> {
  /** The store while the server is there, fit, and its storage as declared. */
  store(): InventoryStore | undefined
  /** Makes what of the storage has gone missing; rejects when it is not as declared. */
  repair(): Promise<void>
}

/** Follows NATS and sees to the storage at each connection; until it is as declared, the program is not ready and says why. */
export function followStore(options: {
  url: string
  name: string
  log: Logger
  storage: StorageSettings
}): FollowedStore {
  const { storage, ...rest } = options
  let store: InventoryStore | undefined
  const nats = followNats({
    ...rest,
    prepare: async (connection) => {
      await ensureStorage(connection, storage)
      if (store?.connection !== connection) store = await openStore(connection)
    },
  })
  return {
    store: () => (nats.connection() ? store : undefined),
    repair: async () => {
      const connection = nats.connection()
      if (connection) await ensureStorage(connection, storage)
    },
    ready: () => nats.ready(),
    stop: () => nats.stop(),
  }
}
