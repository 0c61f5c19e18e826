import { randomUUIDv7 } from 'node:crypto'
import { asksForImages } from './batch.ts'
import type { DeadLetter } from './dead-letters.ts'
import { newJob } from './job.ts'
import type { InventoryStore } from './store.ts'

type ReplayingStore = Pick<InventoryStore, 'deadLetters' | 'jobs' | 'queue'>

/**
 * Puts a dead letter back among the batches, under a new job, because a completed job never changes; gives the new
 * job's id, or undefined when the letter is gone. Its vehicles keep their place in time: what was uploaded since stays
 * the later. Cut off half way it can be done again, and once too often is harmless.
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
