import type { Clock } from '#runtime/clock.ts'

// What a request may wait for a reload, beside the set or shard at hand.
const SLICE_MS = 1

/** Lets requests be answered when the last time that it did is `SLICE_MS` ago. */
export function createGiveWay({ elapsed, turn }: Clock): () => Promise<void> {
  let since = elapsed()
  return async () => {
    if (elapsed() - since < SLICE_MS) return
    await turn()
    since = elapsed()
  }
}
