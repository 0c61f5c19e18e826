import { randomUUIDv7 } from 'node:crypto'
import { asksForImages } from './batch.ts'
import type { DeadLetter } from './dead-letters.ts'
import { newJob } from './job.ts'
import type { InventoryStore } from './store.ts'

type ReplayingStore = Pick<InventoryStore, 'deadLetters' | 'jobs' | 'queue'>

/**
 * Puts a dead letter back into the queue under a new job, because a completed job never changes. Returns the id of the
 * new job, or undefined when the dead letter no longer exists. Its vehicles keep their order: whatever was uploaded
 * since remains the later upload. An interrupted replay can be repeated, and a repetition too many is harmless.
 */
export async function replay(letter: DeadLetter, store: ReplayingStore): Promise<string | undefined> {
  const text = await store.deadLetters.text(letter)
  if (text === undefined) return undefined
  const id = randomUUIDv7()
  const { clientId, clientUid, sequence, allowedWords, traceparent, replays } = letter
  const moderateImages = asksForImages(text)
  await store.jobs.create(newJob({ id, clientId, clientUid, createdAt: new Date(), moderateImages }))
  const origin = { clientId, clientUid, sequence, allowedWords, traceparent, replays: replays + 1 }
  await store.queue.publish(id, text, origin)
  await store.deadLetters.remove(letter)
  return id
}
