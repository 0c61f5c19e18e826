import type { Waiting } from '#notices/mailbox.ts'
import { dropped } from '#notices/mailbox-changes.ts'
import type { MessageOutcome } from '../outcome.ts'
import type { Handling } from './handling.ts'
import { ended } from './progress.ts'

/** Ends a notice that has no addresses left; the addresses that did not get it are counted in a dead letter. */
export async function finish(handling: Handling, waiting: Waiting, unsent = 0): Promise<MessageOutcome> {
  const { store, client, stored, log, metrics } = handling
  const { refused, attempts, accepted, digest, replay, reason = '' } = waiting
  const recipients = refused.length + unsent
  if (recipients > 0) {
    const delivery = { client, digest, replay }
    await store.deadLetters.keep({ delivery, waiting, recipients, reason })
  }
  await store.mailboxes.write(client, ended(stored.mailbox, waiting, refused.length, new Date()), stored.revision)
  const counts = { accepted: accepted.length, refused: refused.length, attempts }
  if (accepted.length > 0) {
    metrics.sent()
    log.info(counts, 'notice sent')
  }
  if (recipients > 0) {
    metrics.buried()
    log.error(counts, 'notice kept as a dead letter')
  }
  return { end: 'ack', why: accepted.length > 0 ? 'sent' : 'dead letter' }
}

/** Ends a notice that was tried for long enough; `left` did not get it and refused nothing. */
export function giveUp(handling: Handling, waiting: Waiting, left: readonly string[]): Promise<MessageOutcome> {
  return finish(handling, waiting, left.length)
}

/** Ends a notice that must not be sent as it is; no address refused anything. */
export function bury(handling: Handling, waiting: Waiting): Promise<MessageOutcome> {
  return finish(handling, waiting, 1)
}

/** Ends a notice of a client that has no recipients any more. */
export async function drop({ store, client, stored, waiting, log }: Handling): Promise<MessageOutcome> {
  await store.mailboxes.write(client, dropped(stored.mailbox, waiting, new Date()), stored.revision)
  log.info('notice dropped: the client has no contact with notices: true')
  return { end: 'ack', why: 'no contact with notices: true' }
}
