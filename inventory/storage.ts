import { nanos } from '@nats-io/transport-node'
import { declaring, type DeclaredStorage, type StorageSettings } from '#runtime/nats/declare.ts'

export type { StorageSettings } from '#runtime/nats/declare.ts'

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

/** Milliseconds that a batch may be held without a sign of life before another worker gets it. */
export const ACK_WAIT_MS = 15_000

/** The one consumer of the batches; every worker pulls from it. */
export const declaredConsumer: DeclaredStorage['consumer']['config'] = {
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

/** Everything that inventory keeps in JetStream, with every limit; `nowMs` counts for a stream that is made. */
export function declaredStorage(settings: StorageSettings, nowMs: number): DeclaredStorage {
  const { stream, bucket } = declaring(settings)
  const batches = stream(BATCHES, 0.25, { subjects: [batchSubject('*')], retention: 'workqueue', allow_direct: true })
  const others = [
    stream(DEAD_LETTERS, 0.1, { subjects: [deadLetterSubject('*')] }),
    bucket(BUCKETS.vehicles, 0.5, 0),
    bucket(BUCKETS.jobs, 0.1, 7 * DAY_MS),
    bucket(BUCKETS.idempotency, 0.04, DAY_MS),
    bucket(BUCKETS.requestRates, 0.01, 5 * MINUTE_MS),
  ]
  return {
    streams: [{ config: batches, first: { first_seq: firstSequence(nowMs) } }, ...others.map((config) => ({ config }))],
    consumer: { stream: BATCHES, config: declaredConsumer },
  }
}
