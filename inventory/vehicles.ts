import type { KV } from '@nats-io/kv'
import type { Item } from './batch.ts'
import { parseExactly } from './exact-json.ts'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import { keyOf } from '#runtime/nats/key.ts'

/** What decides which of two uploads of a vehicle is the later one; compared in this order. */
export interface VehicleOrder {
  /** Of the batch in its stream. */
  sequence: number
  /** Of the item in its batch. */
  index: number
  /**
   * Of the attempt at the batch, its job's revision when it was begun: what a stalled attempt still writes never
   * replaces what the next one wrote.
   */
  run: number
}

/** A vehicle as the system that serves reads finds it in the bucket `vehicles`. */
export interface VehicleRecord {
  client_id: string
  source_id: string
  source_name: string
  job_id: string
  order: VehicleOrder
  stored_at: string
  item: Item
  /** Present when its upload asked for no moderation of pictures: being stored is then no verdict on them. */
  pictures_unjudged?: boolean
}

/** The vehicles, by client and `vehicle.source_id`. */
export interface Vehicles {
  read(clientId: string, sourceId: string): Promise<VehicleRecord | undefined>
  /** All of a client, ordered by their `source_id`. */
  list(clientId: string): Promise<VehicleRecord[]>
  /** Stores a vehicle unless a later upload of it is there: any order of calls ends with the latest. */
  store(record: VehicleRecord): Promise<'stored' | 'superseded'>
  /** Takes a vehicle out; false when it is not there. A batch that still waits, or a replay, can store it again. */
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
      // One after the other: it is for a person who looks, and works beside what writes.
      for await (const key of await bucket.keys(`${keyOf(clientId)}.*`)) {
        const { record } = await find(key)
        if (record) records.push(record)
      }
      return records.sort((one, other) => (one.source_id < other.source_id ? -1 : 1))
    },
    remove: async (clientId, sourceId) => {
      const key = keyOf(clientId, sourceId)
      const { record, revision } = await find(key)
      // Only the vehicle that was seen: one that is uploaded in the meantime stays.
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
          // Each conflict is another writer's success, so this ends.
          if (!isConflict(error)) throw error
        }
      }
    },
  }
}

/** Negative when `one` is the earlier, 0 when both are the same, positive when it is the later. */
export function compareOrder(one: VehicleOrder, other: VehicleOrder): number {
  return one.sequence - other.sequence || one.index - other.index || one.run - other.run
}
