import type { NoticeDeadLetter } from './dead-letters.ts'
import { queueNotice } from './notice-queue.ts'
import type { NoticeStore } from './store.ts'

/**
 * Puts a dead letter back to be sent, to those who did not get it. Cut off half way it can be done again: a replay is one
 * delivery, however often it is asked for. One that cannot be read stays where it is.
 */
export async function replayNotice(
  letter: NoticeDeadLetter,
  { client, deadLetters }: Pick<NoticeStore, 'client' | 'deadLetters'>,
): Promise<'replayed' | 'gone' | 'unreadable'> {
  const notice = await deadLetters.notice(letter)
  if (notice === undefined) return 'gone'
  if (notice === 'unreadable') return notice
  await queueNotice(client, notice, letter.replay + 1)
  await deadLetters.remove(letter)
  return 'replayed'
}
