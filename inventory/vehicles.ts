import type { KV } from '@nats-io/kv'
import { inParallel } from '#runtime/in-parallel.ts'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import { keyOf } from '#runtime/nats/key.ts'
import { parseExactly } from './exact-json.ts'
import { compareOrder, type VehicleRecord } from './vehicle-record.ts'
import { storeTogether, type VehicleServer } from './vehicles-together.ts'

export type { VehicleOrder, VehicleRecord } from './vehicle-record.ts'

/** The vehicles, by client and `vehicle.source_id`. */
export interface Vehicles {
  read(clientId: string, sourceId: string): Promise<VehicleRecord | undefined>
  /** All vehicles of a client, ordered by `source_id`. */
  list(clientId: string): Promise<VehicleRecord[]>
  /** Stores a vehicle unless a later upload is stored: after any order of calls, the latest upload is stored. */
  store(record: VehicleRecord): Promise<'stored' | 'superseded'>
  /** The same for all vehicles of a batch, by one read and one write where nobody else writes one of them. */
  storeAll(records: readonly VehicleRecord[], signal: AbortSignal): Promise<void>
  /** Removes a vehicle; false when it does not exist. A batch that still waits, or a replay, can store it again. */
  remove(clientId: string, sourceId: string): Promise<boolean>
}

async function findIn(bucket: KV, key: string) {
  const entry = await bucket.get(key)
  return entry?.operation === 'PUT'
    ? { record: parseExactly<VehicleRecord>(entry.string()), revision: entry.revision }
    : { record: undefined, revision: entry?.revision ?? 0 }
}

const WRITES_AT_ONCE = 16

export function vehiclesIn(bucket: KV, server: VehicleServer): Vehicles {
  const vehicles = oneByOne(bucket)
  return {
    ...vehicles,
    storeAll: async (records, signal) => {
      if (await storeTogether(records, server)) return
      await inParallel(WRITES_AT_ONCE, records, async (record) => {
        signal.throwIfAborted()
        await vehicles.store(record)
      })
    },
  }
}

function oneByOne(bucket: KV): Omit<Vehicles, 'storeAll'> {
  const find = (key: string) => findIn(bucket, key)
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
    store: async (record) => {
      const key = keyOf(record.client_id, record.source_id)
      const value = JSON.stringify(record)
      for (;;) {
        const { record: found, revision } = await find(key)
        if (found && compareOrder(found.order, record.order) >= 0) return 'superseded'
        try {
          await bucket.put(key, value, { previousSeq: revision })
          return 'stored'
        } catch (error) {
          // Each conflict means that another writer succeeded, so this ends.
          if (!isConflict(error)) throw error
        }
      }
    },
  }
}
