import { setTimeout as sleep } from 'node:timers/promises'
import type { HeldMailbox, Mailbox, Waiting } from '#notices/mailbox.ts'
import type { Notice } from '#notices/notice.ts'
import { messageOf } from '#notices/render/message.ts'
import { backoff } from '#runtime/backoff.ts'
import type { MessageOutcome } from '../outcome.ts'
import { finish, giveUp } from './ending.ts'
import type { Handling } from './handling.ts'
import { LONGEST_DELAY_MS } from './pace.ts'
import { begin, follow, leftOf, oneMore } from './progress.ts'
import type { SendingResult } from './sending-result.ts'

/** Attempts at one notice when the server does not answer: a reader may get the mail this many times. */
const MOST_COPIES = 3

/** The addresses of one attempt. */
export interface Addressed {
  /** All addresses, as in the header. */
  to: readonly string[]
  /** The addresses that the server is asked to deliver to. */
  left: readonly string[]
}

/** Sends a notice to the remaining addresses and records the result. */
export async function attempt(handling: Handling, notice: Notice, addressed: Addressed): Promise<MessageOutcome> {
  const { store, client, stored, waiting, signal, metrics, log } = handling
  const begun = { ...stored.mailbox, waiting: begin(waiting) }
  // Written before anything is sent: a store that cannot be written could not record the result either.
  const { revision } = await store.mailboxes.write(client, begun, stored.revision)
  const result = await send(handling, notice, addressed)
  const isAnswered = result.accepted.length + result.refused.length > 0
  if (signal.aborted && !isAnswered) return { end: 'nak', why: 'the worker is stopping', afterMs: 0 }
  const next = follow(begun.waiting, result, waiting)
  const written = await record({ mailbox: begun, revision }, (mailbox) => after(mailbox, next, result), handling)
  const left = leftOf(next, addressed.to)
  const isReplaced = written.mailbox.waiting?.digest !== next.digest
  if (left.length > 0 && !isReplaced && (next.copies ?? 0) >= MOST_COPIES) {
    const reason = `the mail server received the mail ${MOST_COPIES} times without confirming it: ${next.reason ?? ''}`
    return giveUp({ ...handling, stored: written }, { ...next, reason }, left)
  }
  if (left.length > 0) {
    metrics.failed()
    const afterMs = backoff(next.attempts - 1, { baseMs: handling.retryMs, capMs: LONGEST_DELAY_MS })
    log.warn({ code: result.code, attempt: next.attempts, afterMs }, 'notice not sent yet')
    return { end: 'nak', why: 'the attempt failed', afterMs }
  }
  if (result.refused.length > 0) log.error({ code: result.code, attempt: next.attempts }, 'notice refused')
  // The operator put a later notice meanwhile, which says what it replaces.
  if (isReplaced) return { end: 'nak', why: 'a later notice waits', afterMs: 0 }
  return finish({ ...handling, stored: written }, next)
}

async function send(
  { post, log, signal, surroundingsOf }: Handling,
  notice: Notice,
  addressed: Addressed,
): Promise<SendingResult> {
  const { to, left } = addressed
  try {
    return await post.send(
      { notice: { ...notice, to }, message: messageOf(notice, surroundingsOf(notice.client)), to: left },
      signal,
    )
  } catch (error) {
    log.error({ err: error }, 'the notice could not be written')
    return { accepted: [], deferred: left, refused: [], reason: String(error), code: 'unwritten', isKnown: true }
  }
}

/** A mailbox after an attempt at a notice, which still waits in it or was replaced. */
function after(mailbox: Mailbox, next: Waiting, { accepted, isKnown }: SendingResult): Mailbox {
  const isWaiting = mailbox.waiting?.digest === next.digest
  // A notice that some addresses accepted earlier is one mail of the day; a server that did not answer may have
  // accepted another.
  const isMail = !isKnown || (accepted.length > 0 && next.accepted.length === accepted.length)
  return {
    ...mailbox,
    ...(isMail && { mailed: oneMore(mailbox.mailed, new Date()) }),
    ...(isWaiting && { waiting: next }),
  }
}

const RECORDING_MS = 120_000
/** The first delay is short, because the usual cause is another write to the mailbox. */
const RECORDING_AGAIN = { baseMs: 250, capMs: 8_000 }

/**
 * Records the result of an attempt, however many tries that takes: until then another worker would send the notice
 * again.
 */
async function record(
  stored: HeldMailbox,
  change: (mailbox: Mailbox) => Mailbox,
  { store, client, log }: Handling,
): Promise<HeldMailbox> {
  const deadline = performance.now() + RECORDING_MS
  let latest = stored
  for (let tries = 0; ; tries++) {
    const afterMs = backoff(tries, RECORDING_AGAIN)
    try {
      return await store.mailboxes.write(client, change(latest.mailbox), latest.revision)
    } catch (error) {
      if (performance.now() > deadline) throw error
      log.warn({ err: error, afterMs }, 'the result of the notice is not stored yet')
    }
    await sleep(afterMs)
    latest = await store.mailboxes.read(client).catch(() => latest)
  }
}
