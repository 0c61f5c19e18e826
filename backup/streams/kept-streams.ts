import type { StreamConfig, StreamState } from '@nats-io/jetstream'
import { BATCHES, BUCKETS, DEAD_LETTERS } from '#inventory/storage.ts'
import { ANNOUNCED, ANNOUNCEMENTS, DUE_CLIENTS, MAILBOXES, NOTICE_DEAD_LETTERS, RECIPIENTS } from '#notices/storage.ts'

/** What the server says of a stream that it hands out, and what a restore tells the server. */
export interface StreamHead {
  config: StreamConfig
  state: StreamState
}

/** A stream as a backup keeps it: of a queue the messages, one on a line; else what the server packs. */
export interface KeptStream {
  head: StreamHead
  bytes: AsyncIterable<Uint8Array>
}

/** The name under which a backup connects. Its login needs to hear no more than the answers below the subject of this name. */
export const BACKUP_CONNECTION = 'driveaway-backup'

const bucket = (name: string): string => `KV_${name}`

/** Read first: whatever happens to a batch afterwards, the restored queue does it again. */
export const QUEUES: readonly string[] = [BATCHES, DUE_CLIENTS]

/** What a backup keeps of NATS as it is. */
export const STORES: readonly string[] = [
  ...[DEAD_LETTERS, bucket(BUCKETS.jobs), bucket(BUCKETS.vehicles), bucket(BUCKETS.idempotency)],
  ...[NOTICE_DEAD_LETTERS, bucket(MAILBOXES), bucket(ANNOUNCEMENTS), `OBJ_${ANNOUNCED}`],
]

/** Whether a backup keeps a stream of this name. */
export const isKept = (name: string): boolean => QUEUES.includes(name) || STORES.includes(name)

/** What a backup leaves out, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  [bucket(BUCKETS.requestRates)]: 'counts of the last five minutes',
  [bucket(RECIPIENTS)]: 'the operator writes the recipients anew from the ShowroomClients',
}
