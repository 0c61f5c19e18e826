import { createHash } from 'node:crypto'
import type { ConsumerConfig } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { declaring, type DeclaredStorage, type StorageSettings } from '#runtime/nats/declare.ts'
import { keyOf } from '#runtime/nats/key.ts'

export type { StorageSettings } from '#runtime/nats/declare.ts'

export const BATCHES = 'BATCHES'
export const DEAD_LETTERS = 'DEAD_LETTERS'
export const BUCKETS = {
  jobs: 'jobs',
  vehicles: 'vehicles',
  idempotency: 'idempotency',
  requestRates: 'request_rates',
} as const

/** Each client has subjects of its own, so that its batches can be taken in its turn. */
export const batchSubject = (clientId: string, jobId: string): string => `batches.${keyOf(clientId)}.${jobId}`
/** Where the server says of each stored batch, without its bytes, that it is there: the subject of the batch but for this word. */
export const QUEUED = 'queued'
export const deadLetterSubject = (jobId: string): string => `dead-letters.${jobId}`

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Milliseconds that a batch may be held without a sign of life before another worker gets it. */
export const ACK_WAIT_MS = 15_000

/** Milliseconds after which the server removes the consumer of a client that has nothing in hand and that nobody asks for. */
const UNUSED_CONSUMER_MS = 30_000

/** The consumer of one client's batches, which workers share; `token` stands for the client in subjects. */
export const consumerOf = (token: string): Partial<ConsumerConfig> & { durable_name: string } => ({
  // A name has at most 255 characters; a client's can have more as base64url.
  durable_name: createHash('sha256').update(token).digest('hex').slice(0, 32),
  description: `batches of ${Buffer.from(token, 'base64url').toString()}`,
  filter_subject: `batches.${token}.*`,
  ack_policy: 'explicit',
  deliver_policy: 'all',
  ack_wait: nanos(ACK_WAIT_MS),
  // Attempts are counted in the job: a batch that a stopping worker gives back was not tried.
  max_deliver: -1,
  inactive_threshold: nanos(UNUSED_CONSUMER_MS),
})

/**
 * The first sequence of a stream of batches that is made now. Vehicles keep the sequence of the batch that wrote them,
 * so a stream that is made anew must begin above all that the lost one can have given: no stream takes in a thousand
 * batches a second for its whole life.
 */
export const firstSequence = (nowMs: number): number => nowMs

export interface InventorySettings extends StorageSettings {
  /** Days after its last upload for which a vehicle is kept; 0: for ever, which is the default. */
  vehiclesKeptDays?: number
}

/** For whoever watches the vehicles: how long the server says of a vehicle that its time is over. */
const ENDED_SAID_MS = 7 * DAY_MS

function vehiclesBucket(bucket: ReturnType<typeof declaring>['bucket'], days: number) {
  const config = bucket(BUCKETS.vehicles, 0.5, days * DAY_MS)
  if (days === 0) return { ...config, subject_delete_marker_ttl: 0 }
  return { ...config, allow_msg_ttl: true, subject_delete_marker_ttl: nanos(ENDED_SAID_MS) }
}

/** Everything that inventory keeps in JetStream, with every limit; `nowMs` counts for a stream that is made. */
export function declaredStorage(settings: InventorySettings, nowMs: number): DeclaredStorage {
  const { stream, bucket } = declaring(settings)
  const batches = stream(BATCHES, 0.25, {
    subjects: ['batches.>'],
    retention: 'workqueue',
    allow_direct: true,
    republish: { src: 'batches.>', dest: `${QUEUED}.>`, headers_only: true },
  })
  const others = [
    stream(DEAD_LETTERS, 0.1, { subjects: [deadLetterSubject('*')] }),
    vehiclesBucket(bucket, settings.vehiclesKeptDays ?? 0),
    bucket(BUCKETS.jobs, 0.1, 7 * DAY_MS),
    bucket(BUCKETS.idempotency, 0.04, DAY_MS),
    bucket(BUCKETS.requestRates, 0.01, 5 * MINUTE_MS),
  ]
  return {
    streams: [{ config: batches, first: { first_seq: firstSequence(nowMs) } }, ...others.map((config) => ({ config }))],
    // Until each client had subjects of its own, one consumer had all batches.
    formerConsumers: [{ stream: BATCHES, name: 'worker' }],
  }
}
