import type { JetStreamManager } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Logger } from '#runtime/log.ts'
import type { NatsAccess } from '#runtime/nats/access.ts'
import type { DriftMetrics } from '#runtime/nats/drift.ts'
import { followStore, type FollowedStore } from '#runtime/nats/follow-store.ts'
import { openJetStream } from '#runtime/nats/jetstream.ts'
import { batchQueue, type BatchQueue } from './batch-queue.ts'
import { clientQueues, type ClientQueues } from './client-queues.ts'
import { askWorkers } from './client-bytes.ts'
import { deadLetters, type DeadLetters } from './dead-letters.ts'
import type { StorageRole } from '#runtime/nats/ensure-storage.ts'
import { ensureStorage } from './ensure-storage.ts'
import { undeclaredConsumers } from './undeclared-consumers.ts'
import { idempotencyKeysIn, type IdempotencyKeys } from './idempotency.ts'
import { jobsIn, type Jobs } from './jobs.ts'
import { followKeptDays } from './kept-days.ts'
import { latePictures, type LatePictures } from './late-pictures.ts'
import type { SequenceLooks } from './raise-sequences.ts'
import { roomIn, type Room } from './room.ts'
import { BUCKETS, type InventorySettings } from './storage.ts'
import { vehiclesIn, type Vehicles } from './vehicles.ts'

/** Everything that inventory keeps, on one connection. */
export interface InventoryStore {
  connection: NatsConnection
  manager: JetStreamManager
  queue: BatchQueue
  /** For programs that process batches. */
  clientQueues: ClientQueues
  deadLetters: DeadLetters
  latePictures: LatePictures
  jobs: Jobs
  vehicles: Vehicles
  idempotency: IdempotencyKeys
  requestRates: KV
  room: Room
}

/** Opens the store on a connection without checking that the storage exists. */
export async function openStore(connection: NatsConnection, log?: Logger): Promise<InventoryStore> {
  const { client, manager, bucket } = await openJetStream(connection)
  const jobs = jobsIn(await bucket(BUCKETS.jobs), log)
  const vehicles = vehiclesIn(await bucket(BUCKETS.vehicles), { connection, manager, log })
  return {
    connection,
    manager,
    queue: batchQueue(client, manager),
    clientQueues: clientQueues(connection, manager),
    deadLetters: deadLetters(client, manager),
    latePictures: latePictures({ client, manager, vehicles, jobs, log }),
    jobs,
    vehicles,
    idempotency: idempotencyKeysIn(await bucket(BUCKETS.idempotency)),
    requestRates: await bucket(BUCKETS.requestRates),
    room: roomIn(manager, askWorkers(connection, log), () => performance.now()),
  }
}

/** Milliseconds between two checks of the storage by its owner. */
const RECHECK_MS = 60_000

/** Connects to NATS, and connects the inventory's store with it. */
export function followInventory(
  options: NatsAccess & {
    name: string
    log: Logger
    storage: InventorySettings
    role: StorageRole
    recheckMs?: number
    drift?: DriftMetrics
  },
): FollowedStore<InventoryStore> {
  const { storage, role, recheckMs = RECHECK_MS, ...rest } = options
  const kept = followKeptDays(storage, role, options.log)
  const looks: SequenceLooks = {}
  const ensure = async (connection: NatsConnection) => {
    const changed = await ensureStorage(connection, await kept.settings(connection), role, looks)
    kept.settled()
    // No upload is accepted until the batches that wait are processed, which may be soon.
    if (looks.isClosed) followed.suspect()
    return changed
  }
  // Only the owner checks again: it alone can change what it finds.
  const ofOwner = role === 'owner' && { recheckMs, undeclared: undeclaredConsumers }
  const followed = followStore({
    ...rest,
    ...ofOwner,
    ensure,
    open: (connection) => openStore(connection, options.log),
  })
  return followed
}
