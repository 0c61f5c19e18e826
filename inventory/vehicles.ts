import type { KV } from '@nats-io/kv'
import { atMost, inParallel } from '#runtime/in-parallel.ts'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import { keyOf } from '#runtime/nats/key.ts'
import { parseExactly } from './exact-json.ts'
import { compareOrder, type VehicleRecord, type WrittenVehicle } from './vehicle-record.ts'
import { lastWrittenTo, storeTogether, type VehicleServer } from './vehicles-together.ts'

export { written, type VehicleOrder, type VehicleRecord, type WrittenVehicle } from './vehicle-record.ts'

/** A vehicle as one attempt at one upload has stored it. */
export type VehicleName = Pick<VehicleRecord, 'client_id' | 'source_id' | 'order'>

/** The vehicles, by client and `vehicle.source_id`. */
export interface Vehicles {
  read(clientId: string, sourceId: string): Promise<VehicleRecord | undefined>
  /** All vehicles of a client, ordered by `source_id`. */
  list(clientId: string): Promise<VehicleRecord[]>
  /** Stores a vehicle unless a later upload is stored: after any order of calls, the latest upload is stored. */
  store(record: VehicleRecord): Promise<'stored' | 'superseded'>
  /** `store` for a vehicle that has parts of the one that it replaces: `follow` gives the text of its record. */
  storeOver(name: VehicleName, follow: (stored: VehicleRecord | undefined) => string): Promise<'stored' | 'superseded'>
  /**
   * Changes a stored vehicle of exactly this order. Returns false, and changes nothing, when another upload or attempt has stored
   * it, or it was removed.
   */
  change(record: VehicleName, change: (stored: VehicleRecord) => VehicleRecord): Promise<boolean>
  /** `store` for all vehicles of a batch, by one read and one write where nobody else writes one of them. */
  storeAll(written: readonly WrittenVehicle[], signal: AbortSignal): Promise<void>
  /** Removes a vehicle; false when it does not exist. A batch that still waits, or a replay, can store it again. */
  remove(clientId: string, sourceId: string): Promise<boolean>
}

async function findIn(bucket: KV, key: string) {
  const entry = await bucket.get(key)
  return entry?.operation === 'PUT'
    ? { record: parseExactly<VehicleRecord>(entry.string()), revision: entry.revision }
    : { record: undefined, revision: entry?.revision ?? 0 }
}

/** Of one batch, and of all batches of a worker: each has a stored vehicle in memory, which can be two megabytes. */
const WRITES_AT_ONCE = 16

export function vehiclesIn(bucket: KV, { connection, manager }: Omit<VehicleServer, 'lastWritten'>): Vehicles {
  const vehicles = oneByOne(bucket)
  const alone = atMost(WRITES_AT_ONCE)
  const server = { connection, manager, lastWritten: lastWrittenTo(manager) }
  return {
    ...vehicles,
    storeAll: async (written, signal) => {
      if (await storeTogether(written, server)) return
      await inParallel(WRITES_AT_ONCE, written, (vehicle) =>
        alone(async () => {
          signal.throwIfAborted()
          await vehicles.storeOver(vehicle, () => vehicle.text)
        }),
      )
    },
  }
}

function oneByOne(bucket: KV): Omit<Vehicles, 'storeAll'> {
  const find = (key: string) => findIn(bucket, key)
  const storeOver: Vehicles['storeOver'] = async ({ client_id: clientId, source_id: sourceId, order }, follow) => {
    const isStored = await replaceIn(bucket, keyOf(clientId, sourceId), (stored) =>
      stored && compareOrder(stored.order, order) >= 0 ? undefined : follow(stored),
    )
    return isStored ? 'stored' : 'superseded'
  }
  return {
    read: async (clientId, sourceId) => (await find(keyOf(clientId, sourceId))).record,
    list: async (clientId) => {
      const records: VehicleRecord[] = []
      // One after the other: this serves a person, and runs beside the writers.
      for await (const key of await bucket.keys(`${keyOf(clientId)}.*`)) {
        const { record } = await find(key)
        if (record) records.push(record)
      }
      return records.sort((one, other) => (one.source_id < other.source_id ? -1 : 1))
    },
    remove: async (clientId, sourceId) => {
      const key = keyOf(clientId, sourceId)
      const { record, revision } = await find(key)
      // Only the version that was read is deleted: a vehicle that is uploaded meanwhile stays.
      if (record) await bucket.delete(key, { previousSeq: revision })
      return record !== undefined
    },
    change: ({ client_id: clientId, source_id: sourceId, order }, change) =>
      replaceIn(bucket, keyOf(clientId, sourceId), (stored) =>
        stored && compareOrder(stored.order, order) === 0 ? JSON.stringify(change(stored)) : undefined,
      ),
    storeOver,
    store: (record) => storeOver(record, () => JSON.stringify(record)),
  }
}

/** Writes the text that `next` makes of the stored vehicle, and begins again when somebody else has written; false when it makes nothing. */
async function replaceIn(
  bucket: KV,
  key: string,
  next: (stored: VehicleRecord | undefined) => string | undefined,
): Promise<boolean> {
  for (;;) {
    const { text, revision } = await following(bucket, key, next)
    if (text === undefined) return false
    try {
      await bucket.put(key, text, { previousSeq: revision })
      return true
    } catch (error) {
      // Each conflict means that another writer succeeded, so this ends.
      if (!isConflict(error)) throw error
    }
  }
}

/** Apart, so that nothing holds the stored vehicle while its follower is written: as objects it can take twenty times its text. */
async function following(bucket: KV, key: string, next: (stored: VehicleRecord | undefined) => string | undefined) {
  const { record, revision } = await findIn(bucket, key)
  return { text: next(record), revision }
}
