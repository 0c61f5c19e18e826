import { unlessConflict } from '#runtime/nats/jetstream-error.ts'
import type { NoticeDeadLetter } from './dead-letters.ts'
import type { Mailbox, Waiting } from './mailbox.ts'
import type { NoticeStore } from './store.ts'

export type Replayed = 'replayed' | 'gone' | 'overtaken'

/**
 * Puts a dead letter back to be sent to the addresses of its client today, but not to those that took it. One that a later
 * notice has overtaken is removed: it would state what no longer holds.
 */
export async function replayNotice(
  letter: NoticeDeadLetter,
  store: Pick<NoticeStore, 'mailboxes' | 'deadLetters' | 'markDue'>,
): Promise<Replayed> {
  const waiting = await store.deadLetters.waiting(letter)
  if (!waiting) return 'gone'
  for (;;) {
    const { mailbox, revision } = await store.mailboxes.read(letter.client)
    if (isOvertaken(waiting, mailbox)) {
      await store.deadLetters.remove(letter)
      return 'overtaken'
    }
    const again: Waiting = { ...waiting, replay: letter.replay + 1, attempts: 0, refused: [] }
    const next = { ...mailbox, waiting: { ...again, since: new Date().toISOString() } }
    const isWritten = await store.mailboxes.write(letter.client, next, revision).then(() => true, unlessConflict)
    if (isWritten) break
  }
  await store.markDue(letter.client)
  await store.deadLetters.remove(letter)
  return 'replayed'
}

const isOvertaken = ({ number, digest }: Waiting, { waiting, last }: Mailbox): boolean =>
  (waiting !== undefined && waiting.digest !== digest) || (last !== undefined && last.number > number)
