import type { KV } from '@nats-io/kv'
import type { Item } from './batch.ts'
import { parseExactly } from './exact-json.ts'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import { keyOf } from '#runtime/nats/key.ts'

/** Decides which of two uploads of a vehicle is later; compared in this order. */
export interface VehicleOrder {
  /** Sequence of the batch in its stream. */
  sequence: number
  /** Position of the item in its batch. */
  index: number
  /**
   * Revision of the job at the start of the attempt: a late write of a stalled attempt never replaces what the next
   * attempt wrote.
   */
  run: number
}

/** A vehicle as stored in the bucket `vehicles`, where the system that serves reads finds it. */
export interface VehicleRecord {
  client_id: string
  source_id: string
  source_name: string
  job_id: string
  order: VehicleOrder
  stored_at: string
  item: Item
  /**
   * Present when the upload asked for no image moderation: that the vehicle is stored then says nothing about its
   * pictures.
   */
  pictures_unjudged?: boolean
}

/** The vehicles, by client and `vehicle.source_id`. */
export interface Vehicles {
  read(clientId: string, sourceId: string): Promise<VehicleRecord | undefined>
  /** All vehicles of a client, ordered by `source_id`. */
  list(clientId: string): Promise<VehicleRecord[]>
  /** Stores a vehicle unless a later upload is stored: after any order of calls, the latest upload is stored. */
  store(record: VehicleRecord): Promise<'stored' | 'superseded'>
  /** Removes a vehicle; false when it does not exist. A batch that still waits, or a replay, can store it again. */
  remove(clientId: string, sourceId: string): Promise<boolean>
}

async function findIn(bucket: KV, key: string) {
  const entry = await bucket.get(key)
  return entry?.operation === 'PUT'
    ? { record: parseExactly<VehicleRecord>(entry.string()), revision: entry.revision }
    : { record: undefined, revision: entry?.revision ?? 0 }
}

export function vehiclesIn(bucket: KV): Vehicles {
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

/** Negative when `one` is earlier, 0 when both are the same, positive when `one` is later. */
export function compareOrder(one: VehicleOrder, other: VehicleOrder): number {
  return one.sequence - other.sequence || one.index - other.index || one.run - other.run
}
