import { createHash } from 'node:crypto'
import type { ConsumerConfig } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { declaring, type DeclaredConsumer, type DeclaredStorage, type StorageSettings } from '#runtime/nats/declare.ts'
import { keyOf } from '#runtime/nats/key.ts'

export type { StorageSettings } from '#runtime/nats/declare.ts'

export const BATCHES = 'BATCHES'
export const DEAD_LETTERS = 'DEAD_LETTERS'
/** Pictures of stored vehicles whose source was away. */
export const LATE_PICTURES = 'LATE_PICTURES'
export const BUCKETS = {
  jobs: 'jobs',
  vehicles: 'vehicles',
  idempotency: 'idempotency',
  requestRates: 'request_rates',
} as const

/** In place of the client in the subject of a batch that names none; the worker buries such a batch. */
const NOBODY = '-'

/** A client in subjects and keys. */
export const clientToken = (clientId: string): string => keyOf(clientId || NOBODY)

/** Each client has subjects of its own, so that clients can be served in turn. */
export const batchSubject = (clientId: string, jobId: string): string => `batches.${clientToken(clientId)}.${jobId}`

/** The key of a job names its client, so that the server can count the jobs of each client. */
export const jobKey = (clientId: string, jobId: string): string => `${clientToken(clientId)}.${jobId}`
/**
 * Subject prefix under which the server announces each stored batch without its bytes; the rest is the subject of the
 * batch.
 */
export const QUEUED = 'queued'
export const deadLetterSubject = (jobId: string): string => `dead-letters.${jobId}`
/** The message of a vehicle in the stream behind its bucket. */
export const vehicleSubject = (clientId: string, sourceId: string): string =>
  `$KV.${BUCKETS.vehicles}.${keyOf(clientId, sourceId)}`

/** Subjects of each client, so that the server bounds the number of each client. */
export const latePicturesSubject = (clientId: string): string => `late-pictures.${keyOf(clientId)}`
const AGAIN = '=again'
/**
 * As many places once more, for vehicles that are late already when they are uploaded again: until the upload is stored, both are
 * needed. No token of a client has such an end.
 */
export const lateAgainSubject = (clientId: string): string => `${latePicturesSubject(clientId)}${AGAIN}`

/** What the subjects of a client's late pictures have in common. */
export const clientOfLate = (subject: string): string => subject.split(AGAIN, 1)[0]!

/** The subjects of all clients. */
export const ALL_LATE = 'late-pictures.*'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Milliseconds without a sign of life after which a batch goes to another worker. */
export const ACK_WAIT_MS = 15_000

/** Uploads of vehicles that wait for late pictures, in all, and vehicles of one client; beyond that, a picture is refused. */
const MOST_LATE = 50_000
export const MOST_LATE_OF_ONE = 2_000

/** Milliseconds for which late pictures are tried again. */
export const LATE_KEPT_MS = DAY_MS

/** The consumer of late pictures, shared by workers. */
export const LATE_CONSUMER = 'late-pictures'

const lateConsumer: DeclaredConsumer = {
  stream: LATE_PICTURES,
  config: {
    durable_name: LATE_CONSUMER,
    ack_policy: 'explicit',
    deliver_policy: 'all',
    ack_wait: nanos(ACK_WAIT_MS),
    // The age of the stream ends the attempts.
    max_deliver: -1,
    // Each waits with its own delay, and none hides another.
    max_ack_pending: MOST_LATE,
  },
}

/**
 * Milliseconds after which the server removes the consumer of a client that has nothing in progress and that no worker
 * asks for.
 */
const UNUSED_CONSUMER_MS = 30_000

/** The consumer of one client's batches, shared by workers; `token` is the client in subjects. */
export const consumerOf = (token: string): Partial<ConsumerConfig> & { durable_name: string } => ({
  // A name has at most 255 characters, and a client's token can be longer.
  durable_name: createHash('sha256').update(token).digest('hex').slice(0, 32),
  description: `batches of ${Buffer.from(token, 'base64url').toString()}`,
  filter_subject: `batches.${token}.*`,
  ack_policy: 'explicit',
  deliver_policy: 'all',
  ack_wait: nanos(ACK_WAIT_MS),
  // The job counts attempts: a batch that a stopping worker gives back was not tried.
  max_deliver: -1,
  inactive_threshold: nanos(UNUSED_CONSUMER_MS),
})

/**
 * The first sequence of a stream of batches that is created now. Vehicles record the sequence of the batch that wrote
 * them, so a new stream must start above every sequence of a lost one: no stream receives a thousand batches a second
 * for its whole life.
 */
export const firstSequence = (nowMs: number): number => nowMs

export interface InventorySettings extends StorageSettings {
  /** Days for which a vehicle is kept after its last upload; 0, the default: for ever. */
  vehiclesKeptDays?: number
}

/** In the metadata of the vehicles: the days that a worker has set. Its change differs by this from one by hand. */
export const KEPT_DAYS = 'driveaway-vehicles-kept-days'

/** How long the server keeps the mark that a vehicle has expired, for consumers that follow the vehicles. */
const ENDED_SAID_MS = 7 * DAY_MS

function vehiclesBucket(bucket: ReturnType<typeof declaring>['bucket'], days: number) {
  // All vehicles of a batch are read together, which any replica may answer, and written together, which compares each.
  const kept = { ...bucket(BUCKETS.vehicles, 0.5, days * DAY_MS), metadata: { [KEPT_DAYS]: String(days) } }
  const config = { ...kept, allow_direct: true, allow_atomic: true }
  if (days === 0) return { ...config, subject_delete_marker_ttl: 0 }
  return { ...config, allow_msg_ttl: true, subject_delete_marker_ttl: nanos(ENDED_SAID_MS) }
}

/** Everything that inventory stores in JetStream, with every limit; `first` is where a stream of batches that is created begins. */
export function declaredStorage(settings: InventorySettings, first: number): DeclaredStorage {
  const { stream, bucket } = declaring(settings)
  const batches = stream(BATCHES, 0.25, {
    subjects: ['batches.>'],
    retention: 'workqueue',
    allow_direct: true,
    republish: { src: 'batches.>', dest: `${QUEUED}.>`, headers_only: true },
  })
  const others = [
    stream(DEAD_LETTERS, 0.08, { subjects: [deadLetterSubject('*')] }),
    stream(LATE_PICTURES, 0.02, {
      subjects: [ALL_LATE],
      retention: 'workqueue',
      max_age: nanos(LATE_KEPT_MS),
      max_msgs: MOST_LATE,
      max_msgs_per_subject: MOST_LATE_OF_ONE,
      discard_new_per_subject: true,
    }),
    vehiclesBucket(bucket, settings.vehiclesKeptDays ?? 0),
    bucket(BUCKETS.jobs, 0.1, 7 * DAY_MS),
    // The mark of a key whose upload was refused ends soon.
    { ...bucket(BUCKETS.idempotency, 0.04, DAY_MS), allow_msg_ttl: true },
    bucket(BUCKETS.requestRates, 0.01, 5 * MINUTE_MS),
  ]
  return {
    consumer: lateConsumer,
    streams: [{ config: batches, first: { first_seq: first } }, ...others.map((config) => ({ config }))],
    // Before each client had subjects of its own, one consumer received all batches.
    formerConsumers: [{ stream: BATCHES, name: 'worker' }],
  }
}
