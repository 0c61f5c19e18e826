import type { NoticeDeadLetter } from './dead-letters.ts'
import { queueNotice } from './notice-queue.ts'
import type { NoticeStore } from './store.ts'

/**
 * Puts a dead letter back to be sent, to those who did not get it; false when it is gone. Cut off half way it can be done
 * again: a replay is one delivery, however often it is asked for.
 */
export async function replayNotice(letter: NoticeDeadLetter, store: NoticeStore): Promise<boolean> {
  const notice = await store.deadLetters.notice(letter)
  if (!notice) return false
  await queueNotice(store.client, notice, letter.replay + 1)
  await store.deadLetters.remove(letter)
  return true
}
