import { setTimeout as sleep } from 'node:timers/promises'
import type { JsMsg } from '@nats-io/jetstream'
import { isOver, type DeliveryRecord } from '#notices/deliveries.ts'
import type { Notice } from '#notices/notice.ts'
import { readNotice } from '#notices/notice-queue.ts'
import { pack } from '#notices/packed.ts'
import { messageOf } from '#notices/render/message.ts'
import { deliveryOf, type Delivery } from '#notices/storage.ts'
import type { NoticeStore } from '#notices/store.ts'
import { backoff } from '#runtime/backoff.ts'
import type { Logger } from '#runtime/log.ts'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import type { Outcome } from '../outcome.ts'
import type { MailMetrics } from './metrics.ts'
import type { Post } from './post.ts'
import { begin, follow, settled } from './progress.ts'
import type { SendingResult } from './sending-result.ts'

export interface NoticeServices {
  store: NoticeStore
  post: Post
  metrics: MailMetrics
  log: Logger
  /** Aborts when what is being sent is to be given up. */
  signal: AbortSignal
  retryMs: number
  giveUpMs: number
}

/** A notice as it was delivered by its stream. */
export type NoticeMessage = Pick<JsMsg, 'subject' | 'data' | 'time'>

interface Handling extends NoticeServices {
  delivery: Delivery
  notice: Notice
  /** When it was put into the stream. */
  since: Date
}

const LONGEST_DELAY_MS = 1_800_000
const STORE_DELAY_MS = 1_000

/** Mails a notice to those who are left and says how its message ends; never rejects. */
export async function handleNotice(message: NoticeMessage, services: NoticeServices): Promise<Outcome> {
  const delivery = deliveryOf(message.subject)
  // Nobody's address is written to a log.
  const log = services.log.child({ client: delivery.client, digest: delivery.digest, replay: delivery.replay })
  try {
    const notice = readNotice(message.data)
    if (notice === 'unreadable') return await buryUnreadable(message, delivery, { ...services, log })
    return await proceed({ ...services, log, delivery, notice, since: message.time })
  } catch (error) {
    log.warn({ err: error }, 'the store did not do what was asked')
    return { end: 'nak', why: 'the store failed', afterMs: STORE_DELAY_MS }
  }
}

async function proceed(handling: Handling): Promise<Outcome> {
  const { store, delivery, signal } = handling
  const found = await store.deliveries.read(delivery)
  if (found && isOver(found.record)) return finish(found.record, found.revision, handling)
  // Written before anything is sent: a store that takes no writing could not say that it was sent either.
  const begun = await store.deliveries.write(delivery, begin(found?.record, new Date()), found?.revision ?? 0)
  const result = await attempt(begun.record, handling)
  const known = result.accepted.length + result.refused.length > 0
  if (signal.aborted && !known) return { end: 'nak', why: 'the worker stops', afterMs: 0 }
  const now = new Date()
  const isLast = now.getTime() - handling.since.getTime() >= handling.giveUpMs
  const written = await record(follow(begun.record, result, { now, isLast }), begun.revision, handling)
  if (isOver(written.record)) {
    tell(written.record, result, handling)
    return finish(written.record, written.revision, handling)
  }
  return putOff(written.record, result, handling)
}

async function attempt({ left }: DeliveryRecord, { notice, post, log, signal }: Handling): Promise<SendingResult> {
  const to = left ?? notice.to
  try {
    return await post.send({ notice, message: messageOf(notice), to }, signal)
  } catch (error) {
    log.error({ err: error }, 'the notice could not be written')
    return { accepted: [], deferred: to, refused: [], reason: String(error), code: 'unwritten' }
  }
}

const RECORDING_MS = 120_000
const RECORDING_EVERY_MS = 250

/**
 * Writes what came of an attempt, however often that takes: until it is written, another worker would send it again. A
 * later record that is over stays.
 */
async function record(record: DeliveryRecord, after: number, { store, delivery, log }: Handling) {
  const deadline = performance.now() + RECORDING_MS
  let revision = after
  for (;;) {
    try {
      return await store.deliveries.write(delivery, record, revision)
    } catch (error) {
      if (performance.now() > deadline) throw error
      log.warn({ err: error }, 'what came of the notice is not written yet')
    }
    await sleep(RECORDING_EVERY_MS)
    const found = await store.deliveries.read(delivery).catch(() => undefined)
    if (found && isOver(found.record)) return found
    revision = found?.revision ?? revision
  }
}

async function finish(record: DeliveryRecord, revision: number, handling: Handling): Promise<Outcome> {
  const { store, delivery, notice, log, metrics } = handling
  const { state, accepted, refused, attempts, undelivered } = record
  if (!undelivered) return { end: 'ack', why: state }
  const { to, reason } = undelivered
  const payload = pack({ ...notice, to })
  await store.deadLetters.keep({ delivery, payload, recipients: to.length, reason })
  log.error({ accepted, refused, attempts }, 'notice kept as a dead letter')
  metrics.buried()
  // Only addresses go; when this fails, they go with the record's age.
  await store.deliveries.write(delivery, settled(record), revision).catch(unlessConflict)
  return { end: 'ack', why: 'dead letter' }
}

function tell(
  { state, accepted, refused, attempts }: DeliveryRecord,
  { code }: SendingResult,
  handling: Handling,
): void {
  const { metrics, log } = handling
  if (state !== 'sent') return log.error({ code, refused, attempts }, 'notice not sent')
  metrics.sent()
  log.info({ accepted, refused, attempts }, 'notice sent')
}

function putOff({ attempts }: DeliveryRecord, { code }: SendingResult, { metrics, log, retryMs }: Handling): Outcome {
  const afterMs = backoff(attempts - 1, { baseMs: retryMs, capMs: LONGEST_DELAY_MS })
  metrics.failed()
  log.warn({ code, attempt: attempts, afterMs }, 'notice not sent yet')
  return { end: 'nak', why: 'the attempt failed', afterMs }
}

async function buryUnreadable({ data }: NoticeMessage, delivery: Delivery, services: NoticeServices): Promise<Outcome> {
  const reason = 'the notice cannot be read'
  await services.store.deadLetters.keep({ delivery, payload: data, recipients: 0, reason })
  services.log.error(reason)
  services.metrics.buried()
  return { end: 'term', why: reason }
}

function unlessConflict(error: unknown): undefined {
  if (!isConflict(error)) throw error
}
