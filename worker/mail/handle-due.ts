import type { JsMsg } from '@nats-io/jetstream'
import type { Card } from '#notices/cards.ts'
import { isNotice, type Notice } from '#notices/notice.ts'
import { SignatureFault, verified } from '#notices/signing.ts'
import { clientOf } from '#notices/storage.ts'
import { backoff } from '#runtime/backoff.ts'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import type { MessageOutcome } from '../outcome.ts'
import type { Handling, NoticeServices } from './handling.ts'
import { LONGEST_DELAY_MS, waitMs } from './pace.ts'
import { attempt } from './attempt.ts'
import { bury, drop, finish, giveUp } from './ending.ts'
import { leftOf } from './progress.ts'

/** A due client, as the stream delivered it. */
export type DueMessage = Pick<JsMsg, 'subject'> & { info: Pick<JsMsg['info'], 'deliveryCount'> }

const STORE_DELAY_MS = 1_000
const NOTHING: MessageOutcome = { end: 'ack', why: 'nothing waits' }

/** Mails what waits for one client and returns how the message ends; never rejects. */
export async function handleDue({ subject, info }: DueMessage, services: NoticeServices): Promise<MessageOutcome> {
  const client = clientOf(subject)
  // Addresses are never logged.
  const log = services.log.child({ client })
  try {
    const stored = await services.store.mailboxes.read(client)
    const { waiting } = stored.mailbox
    if (!waiting) return NOTHING
    const { digest, number, replay } = waiting
    return await proceed({ ...services, log: log.child({ digest, number, replay }), client, stored, waiting })
  } catch (error) {
    if (isConflict(error)) return { end: 'nak', why: 'another notice waits', afterMs: 0 }
    const afterMs = backoff(info.deliveryCount - 1, { baseMs: STORE_DELAY_MS, capMs: LONGEST_DELAY_MS })
    log.warn({ err: error, afterMs }, 'the store failed')
    return { end: 'nak', why: 'the store failed', afterMs }
  }
}

async function proceed(handling: Handling): Promise<MessageOutcome> {
  const { stored, waiting, pace } = handling
  const now = new Date()
  const found = await readSigned(handling)
  if (found === 'nobody') return drop(handling)
  if ('fault' in found) return bury(handling, { ...waiting, reason: found.fault })
  const left = leftOf(waiting, found.card.to)
  if (left.length === 0) return finish(handling, waiting)
  const isLate = now.getTime() - Date.parse(waiting.since) >= handling.giveUpMs
  if (isLate) return giveUp(handling, { ...waiting, reason: `not delivered in time: ${waiting.reason ?? ''}` }, left)
  // A server that did not answer may have accepted each of these mails, so each counts as a mail.
  const isPaced = waiting.attempts === 0 || waiting.isUnanswered === true
  const afterMs = isPaced ? waitMs(stored.mailbox.mailed, now, pace) : 0
  if (afterMs > 0) return { end: 'nak', why: 'the client got a mail a moment ago, or many today', afterMs }
  return attempt(handling, found.notice, { to: found.card.to, left })
}

interface Signed {
  notice: Notice
  card: Card
}

/** What the operator signed: the waiting notice and the current recipients. */
async function readSigned({ store, client, waiting, keys }: Handling): Promise<Signed | 'nobody' | { fault: string }> {
  const token = await store.cards.read(client)
  if (token === undefined) return 'nobody'
  try {
    const card = await verified<Card>('recipient', token, keys)
    const notice = await verified<Notice>('notice', waiting.token, keys)
    // The card belongs to a later client of the same name.
    if (notice.uid !== undefined && notice.uid !== card.uid) return 'nobody'
    const isOurs = isNotice(notice) && card.client === client && notice.client === client
    return isOurs && notice.digest === waiting.digest ? { card, notice } : { fault: 'the notice is not of this client' }
  } catch (error) {
    if (error instanceof SignatureFault) return { fault: error.message }
    throw error
  }
}
