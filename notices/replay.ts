import { unlessConflict } from '#runtime/nats/jetstream-error.ts'
import type { Card } from './cards.ts'
import type { NoticeDeadLetter } from './dead-letters.ts'
import type { Mailbox, Waiting } from './mailbox.ts'
import type { Notice } from './notice.ts'
import { unverified } from './signing.ts'
import type { NoticeStore } from './store.ts'
import { stateOf } from './tell.ts'

/**
 * The result of a replay. `overtaken`: the content no longer applies. `nobody`: the client receives no mail. `another`:
 * the client was deleted, and another of the same name was created since. `overtaken` and `another` remove the dead
 * letter; `nobody` leaves it.
 */
export type Replayed = 'replayed' | 'gone' | 'overtaken' | 'nobody' | 'another'

type Store = Pick<NoticeStore, 'mailboxes' | 'deadLetters' | 'markDue' | 'cards' | 'announcements' | 'announced'>

/**
 * Queues a dead letter again, for the current addresses of its client except those that accepted it. A dead letter
 * whose content no longer applies is removed.
 */
export async function replayNotice(letter: NoticeDeadLetter, store: Store): Promise<Replayed> {
  const waiting = await store.deadLetters.waiting(letter)
  if (!waiting) return 'gone'
  const why = await hindrance(letter, waiting, store)
  if (why === 'nobody') return why
  const isPut = why === undefined && (await putBack(letter, waiting, store))
  if (isPut) await store.markDue(letter.client)
  await store.deadLetters.remove(letter)
  return why ?? (isPut ? 'replayed' : 'overtaken')
}

/** Why a dead letter must not be sent, whatever its mailbox contains. */
async function hindrance(
  { client }: NoticeDeadLetter,
  waiting: Waiting,
  store: Store,
): Promise<'nobody' | 'another' | 'overtaken' | undefined> {
  const token = await store.cards.read(client)
  if (token === undefined) return 'nobody'
  const notice = unverified<Notice>(waiting.token)
  if (notice.uid !== undefined && notice.uid !== unverified<Card>(token).uid) return 'another'
  return (await holds(notice, waiting, store)) ? undefined : 'overtaken'
}

/** Whether the rate sets that a notice mentions are unchanged since it was written. */
async function holds({ states }: Notice, { number }: Waiting, store: Store): Promise<boolean> {
  const { putting, announced } = (await store.announcements.read()).progress
  const latest = putting ?? announced
  if (!latest || latest.number <= number) return true
  const found = states && (await store.announced(latest.number))
  if (!found) return false
  return Object.entries(states).every(([code, state]) => stateOf(code, found.sets) === state)
}

/**
 * Whether a dead letter was put into its mailbox; it is not when a later notice waits or was sent. If another notice
 * follows while the replay waits, that notice begins where the replay begins. When the rate sets of that announcement
 * are no longer stored, it begins at the last announcement and replaces nothing.
 */
async function putBack(letter: NoticeDeadLetter, waiting: Waiting, { mailboxes, announced }: Store): Promise<boolean> {
  const { knows, ...rest } = waiting
  const begins = knows !== undefined && (await announced(knows)) ? { knows } : undefined
  const again = { ...rest, ...begins, replay: letter.replay + 1 }
  for (;;) {
    const { mailbox, revision } = await mailboxes.read(letter.client)
    if (isOvertaken(waiting, mailbox)) return false
    const since = new Date().toISOString()
    const next = { ...mailbox, ...begins, waiting: { ...again, since, attempts: 0, copies: 0, refused: [] } }
    if (await mailboxes.write(letter.client, next, revision).then(() => true, unlessConflict)) return true
  }
}

const isOvertaken = ({ number, digest }: Waiting, { waiting, last }: Mailbox): boolean =>
  (waiting !== undefined && waiting.digest !== digest) || (last !== undefined && last.number > number)
