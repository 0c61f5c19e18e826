import type { Batch } from '#inventory/batch.ts'
import type { QueuedBatch } from '#inventory/batch-queue.ts'
import { parseExactly } from '#inventory/exact-json.ts'
import { isConflict, isFull } from '#runtime/nats/jetstream-error.ts'
import { newJob } from '#inventory/job.ts'
import type { HeldJob } from '#inventory/jobs.ts'
import type { InventoryStore } from '#inventory/store.ts'
import { isItem } from '#inventory/stored-shapes.ts'
import type { Logger } from '#runtime/log.ts'
import type { Trace, Tracing } from '#runtime/tracing/trace.ts'
import type { Moderation } from '../moderation/types.ts'
import { retryDelay, type MessageOutcome } from '../outcome.ts'
import { bury } from './bury.ts'
import type { Place } from './client-turns.ts'
import type { BatchTurns } from './moderate-images.ts'
import { moderateAndStore, NoRoomToWait } from './moderate-and-store.ts'

export interface HandlingServices {
  store: InventoryStore
  moderation: Moderation
  log: Logger
  /** Undefined: nothing is traced. */
  tracing?: Tracing | undefined
  /** The place that the batch occupies while it is processed. */
  place: Pick<Place, 'leave' | 'comeBack'>
  turns: BatchTurns
  /** Aborts when the worker stops. */
  signal: AbortSignal
}

/** Attempts at a batch; the next delivery makes it a dead letter. */
export const MOST_ATTEMPTS = 5

/** Another attempt has changed the job since this one read it: that attempt ends the message. */
const OTHER_ATTEMPT: MessageOutcome = { end: 'none', why: 'another attempt has begun' }
/** Letters of a key: the API gives UUIDs, and another program may have written the message. */
const JOB_ID = /^[-\w]+$/
/** Characters of the contract; the key of a longer one might be more than NATS takes. */
const LONGEST_SOURCE_ID = 256
/** Milliseconds for which a batch is put aside while its client has its share of batches that wait for pictures. */
const NO_ROOM_MS = 5_000
const STORE_FULL: MessageOutcome = { end: 'nak', why: 'the store is full', afterMs: 30_000 }

/** Processes a batch of the queue and returns how its message ends; never rejects. */
export async function attemptBatch(queued: QueuedBatch, services: HandlingServices): Promise<MessageOutcome> {
  try {
    return await traceQueued(queued, services)
  } catch (error) {
    if (isConflict(error)) return OTHER_ATTEMPT
    services.log.warn({ err: error, jobId: queued.jobId }, 'the store failed')
    if (isFull(error)) return STORE_FULL
    return { end: 'nak', why: 'the store failed', afterMs: 1_000 }
  }
}

/** Processes a batch as part of the trace of its upload, when tracing is on. */
async function traceQueued(queued: QueuedBatch, services: HandlingServices): Promise<MessageOutcome> {
  const { jobId, clientId, traceparent: parent } = queued
  const facts = { 'driveaway.job': jobId, 'driveaway.client': clientId }
  const trace = services.tracing?.begin('process batch', { kind: 'consumer', parent, facts })
  const log = services.log.child({ jobId, clientId, ...(trace && { traceId: trace.traceId }) })
  try {
    const outcome = await handleQueued(queued, { ...services, log, trace })
    trace?.note({ 'driveaway.outcome': outcome.why })
    trace?.end(outcome.end === 'ack' ? undefined : outcome.why)
    return outcome
  } catch (error) {
    trace?.end('the store failed')
    throw error
  }
}

/** Services for one batch: the log names its job, and the trace is that of its upload. */
interface OwnServices extends HandlingServices {
  trace: Trace | undefined
}

async function handleQueued(queued: QueuedBatch, services: OwnServices): Promise<MessageOutcome> {
  const { store, log } = services
  if (!JOB_ID.test(queued.jobId)) {
    const reason = 'the batch has no id of a job'
    await store.deadLetters.keep(queued, reason)
    return { end: 'term', why: reason }
  }
  // Parsed once the job is begun: what a batch that waits for the store has in memory is its text.
  const begun = await store.jobs.begin(freshJob(queued), (fresh) => ({ ...fresh, ...imageModeration(batchOf(queued)) }))
  if (!begun) return { end: 'ack', why: 'already completed' }
  const batch = batchOf(queued)
  if (!batch) {
    const reason = 'the batch cannot be read'
    return (await bury({ queued, begun, batch, reason }, store)) ? { end: 'term', why: reason } : OTHER_ATTEMPT
  }
  const { attempts, last_failure: failure = 'the worker died at each attempt' } = begun.record
  if (attempts > MOST_ATTEMPTS) {
    const reason = `given up after ${MOST_ATTEMPTS} attempts: ${failure}`
    log.error({ reason }, 'batch kept as a dead letter')
    return (await bury({ queued, begun, batch, reason }, store)) ? { end: 'ack', why: 'dead letter' } : OTHER_ATTEMPT
  }
  return attempt({ queued, begun, batch }, services)
}

const freshJob = ({ jobId, clientId, clientUid, acceptedAt }: QueuedBatch) =>
  newJob({ id: jobId, clientId, clientUid, createdAt: acceptedAt, moderateImages: false })

const imageModeration = (batch: Batch | undefined) => (batch?.moderate_images === false ? {} : { image_moderation: [] })

interface Begun {
  queued: QueuedBatch
  begun: HeldJob
  batch: Batch
}

async function attempt({ queued, begun, batch }: Begun, services: OwnServices): Promise<MessageOutcome> {
  const { store, moderation, log, trace, signal, place, turns } = services
  const { jobId, clientId, sequence, allowedWords } = queued
  log.info({ sequence, attempt: begun.record.attempts, items: batch.items.length }, 'batch started')
  try {
    const work = {
      jobId,
      clientId,
      sequence,
      run: begun.revision,
      batch,
      allowedWords,
      trace,
      signal,
      turns,
      place: { ...place, bytes: queued.text.length },
    }
    const result = await moderateAndStore(work, moderation, store)
    const isOurs = await store.jobs.complete(begun, result, new Date())
    if (!isOurs) return OTHER_ATTEMPT
    log.info({ ...result.counts, errors: result.errors.length }, 'batch completed')
    return { end: 'ack', why: 'completed' }
  } catch (error) {
    if (error instanceof NoRoomToWait) return giveBack(begun, services, { why: error.message, afterMs: NO_ROOM_MS })
    return signal.aborted
      ? giveBack(begun, services, { why: 'the worker is stopping', afterMs: 0 })
      : fail(begun, services, error)
  }
}

async function giveBack(
  begun: HeldJob,
  { store, log }: HandlingServices,
  { why, afterMs }: { why: string; afterMs: number },
): Promise<MessageOutcome> {
  log.info({ why }, 'batch given back')
  const isOurs = await store.jobs.endAttempt(begun, 'given back')
  return isOurs ? { end: 'nak', why, afterMs } : OTHER_ATTEMPT
}

async function fail(begun: HeldJob, { store, log }: HandlingServices, error: unknown): Promise<MessageOutcome> {
  if (isFull(error)) {
    // This is not the fault of the batch: it waits for room, however long that takes.
    log.error({ err: error }, 'the store is full')
    return (await store.jobs.endAttempt(begun, 'given back')) ? STORE_FULL : OTHER_ATTEMPT
  }
  const failure = error instanceof Error ? error.message : String(error)
  const afterMs = retryDelay(begun.record.attempts)
  log.warn({ err: error, attempt: begun.record.attempts, afterMs }, 'attempt failed')
  const isOurs = await store.jobs.endAttempt(begun, { failure })
  return isOurs ? { end: 'nak', why: 'the attempt failed', afterMs } : OTHER_ATTEMPT
}

/**
 * Undefined when the message is not a batch, or names no client or no vehicle for whom it could be stored. Another program than the
 * API may have written the message: whatever fails here would also fail when the batch is given up, again and again.
 */
function batchOf({ clientId, text }: QueuedBatch): Batch | undefined {
  if (clientId === '') return undefined
  try {
    const batch = parseExactly<Batch>(text)
    return batch.items.every((item) => isItem(item) && isSourceId(item.vehicle.source_id)) ? batch : undefined
  } catch {
    return undefined
  }
}

const isSourceId = (id: string): boolean => id !== '' && [...id].length <= LONGEST_SOURCE_ID
