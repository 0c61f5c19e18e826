import type { StreamConfig, StreamState } from '@nats-io/jetstream'
import { BATCHES, BUCKETS, DEAD_LETTERS, LATE_PICTURES } from '#inventory/storage.ts'
import { ANNOUNCED, ANNOUNCEMENTS, DUE_CLIENTS, MAILBOXES, NOTICE_DEAD_LETTERS, RECIPIENTS } from '#notices/storage.ts'

/** The server's description of a stream in a snapshot; a restore sends it back to the server. */
export interface StreamHead {
  config: StreamConfig
  state: StreamState
}

/** A stream as a backup keeps it: for a queue, its messages, one on each line; otherwise the server's snapshot. */
export interface KeptStream {
  head: StreamHead
  bytes: AsyncIterable<Uint8Array>
}

/**
 * The connection name of a backup. Its login needs permission to receive only the answers below the subject of this
 * name.
 */
export const BACKUP_CONNECTION = 'driveaway-backup'

const bucket = (name: string): string => `KV_${name}`

/** Read first: whatever happens to a batch afterwards, the restored queue does it again. */
export const QUEUES: readonly string[] = [BATCHES, DUE_CLIENTS]

/** The streams that a backup keeps unchanged. */
export const STORES: readonly string[] = [
  ...[DEAD_LETTERS, bucket(BUCKETS.jobs), bucket(BUCKETS.vehicles), bucket(BUCKETS.idempotency)],
  ...[NOTICE_DEAD_LETTERS, bucket(MAILBOXES), bucket(ANNOUNCEMENTS), `OBJ_${ANNOUNCED}`],
]

/** Whether a backup keeps the stream of this name. */
export const isKept = (name: string): boolean => QUEUES.includes(name) || STORES.includes(name)

/** The streams that a backup omits, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  [LATE_PICTURES]: 'pictures that are tried for a day; the next upload of their vehicle tries them anew',
  [bucket(BUCKETS.requestRates)]: 'counts of the last five minutes',
  [bucket(RECIPIENTS)]: 'the operator writes the recipients anew from the ShowroomClients',
}
