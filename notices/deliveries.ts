import type { KV } from '@nats-io/kv'
import { deliveryKey, type Delivery } from './storage.ts'

/** What became of a delivery so far. */
export interface DeliveryRecord {
  /** `begun` from before the first attempt; `sent` when some recipient's server took it, `dead` when none ever will. */
  state: 'begun' | 'sent' | 'dead'
  /** ISO, of the last change. */
  at: string
  attempts: number
  /** Recipients whose server took it. */
  accepted: number
  /** Recipients for whom it was given up. */
  refused: number
  /** Addresses still to be tried; all of the notice's when left out. */
  left?: readonly string[]
  /** Addresses given up that are not among the dead letters yet, with the reason. */
  undelivered?: { to: readonly string[]; reason: string }
}

export interface HeldDelivery {
  record: DeliveryRecord
  /** Of the record in its bucket; 0 when there is none. */
  revision: number
}

/** What became of each delivery. */
export interface Deliveries {
  read(delivery: Delivery): Promise<HeldDelivery | undefined>
  /** Writes what follows the record of this revision; throws a conflict when there is a later one. */
  write(delivery: Delivery, record: DeliveryRecord, revision: number): Promise<HeldDelivery>
}

export function deliveriesIn(bucket: KV): Deliveries {
  return {
    read: async (delivery) => {
      const entry = await bucket.get(deliveryKey(delivery))
      if (entry?.operation !== 'PUT') return undefined
      return { record: entry.json<DeliveryRecord>(), revision: entry.revision }
    },
    write: async (delivery, record, revision) => ({
      record,
      revision: await bucket.put(deliveryKey(delivery), JSON.stringify(record), { previousSeq: revision }),
    }),
  }
}

/** Whether nothing more is sent for a delivery. */
export const isOver = ({ state }: DeliveryRecord): boolean => state !== 'begun'
