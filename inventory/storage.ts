import { nanos } from '@nats-io/transport-node'
import type { ConsumerConfig, StreamConfig } from '@nats-io/jetstream'

/** How large and how safe the storage is; the API and the worker must be given the same. */
export interface StorageSettings {
  /** Copies of each stream in the NATS cluster: 1, 3 or 5. */
  replicas: number
  /** Bytes that all of it together may take on the disk of one server. */
  bytes: number
}

export const BATCHES = 'BATCHES'
export const DEAD_LETTERS = 'DEAD_LETTERS'
export const WORKER = 'worker'
export const BUCKETS = {
  jobs: 'jobs',
  vehicles: 'vehicles',
  idempotency: 'idempotency',
  requestRates: 'request_rates',
} as const

export const batchSubject = (jobId: string): string => `batches.${jobId}`
export const deadLetterSubject = (jobId: string): string => `dead-letters.${jobId}`

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Bytes of the largest message: a job's answer with every picture of a 2 MB batch in it stays below. */
const LARGEST_MESSAGE = 4 * 1024 * 1024

/** Everything that inventory keeps in JetStream, with every limit. */
export function declaredStreams({ replicas, bytes }: StorageSettings): Partial<StreamConfig>[] {
  const stream = (name: string, share: number, rest: Partial<StreamConfig>): Partial<StreamConfig> => ({
    name,
    storage: 'file',
    retention: 'limits',
    // A full stream refuses what is new: what was accepted is never pushed out.
    discard: 'new',
    num_replicas: replicas,
    max_bytes: Math.floor(bytes * share),
    max_msg_size: LARGEST_MESSAGE,
    max_age: 0,
    ...rest,
  })
  const bucket = (name: string, share: number, maxAgeMs: number): Partial<StreamConfig> =>
    stream(`KV_${name}`, share, {
      subjects: [`$KV.${name}.>`],
      max_msgs_per_subject: 1,
      max_age: nanos(maxAgeMs),
      allow_rollup_hdrs: true,
      deny_delete: true,
      // Reads go to the leader: a replica that lags would answer 404 after a 201.
      allow_direct: false,
    })
  return [
    stream(BATCHES, 0.25, { subjects: [batchSubject('*')], retention: 'workqueue', allow_direct: true }),
    stream(DEAD_LETTERS, 0.1, { subjects: [deadLetterSubject('*')] }),
    bucket(BUCKETS.vehicles, 0.5, 0),
    bucket(BUCKETS.jobs, 0.1, 7 * DAY_MS),
    bucket(BUCKETS.idempotency, 0.04, DAY_MS),
    bucket(BUCKETS.requestRates, 0.01, 5 * MINUTE_MS),
  ]
}

/** Milliseconds that a batch may be held without a sign of life before another worker gets it. */
export const ACK_WAIT_MS = 15_000

/** The one consumer of the batches; every worker pulls from it. */
export const declaredConsumer: Partial<ConsumerConfig> = {
  durable_name: WORKER,
  ack_policy: 'explicit',
  deliver_policy: 'all',
  ack_wait: nanos(ACK_WAIT_MS),
  // Attempts are counted in the job, where waiting for a turn does not count as one.
  max_deliver: -1,
  max_ack_pending: 50_000,
  // A worker sees whose batches wait, and takes their bytes only when their turn has come.
  headers_only: true,
}

/**
 * The first sequence of a stream of batches that is made now. Vehicles keep the sequence of the batch that wrote them,
 * so a stream that is made anew must begin above all that the lost one can have given: no stream takes in a thousand
 * batches a second for its whole life.
 */
export const firstSequence = (nowMs: number): number => nowMs
