import type { Clock } from '#runtime/clock.ts'

// Longest time that a reload keeps requests waiting, besides the set or shard in progress.
const SLICE_MS = 1

/** Lets requests be answered once `SLICE_MS` have passed since the last time. */
export function createGiveWay({ elapsed, turn }: Clock): () => Promise<void> {
  let since = elapsed()
  return async () => {
    if (elapsed() - since < SLICE_MS) return
    await turn()
    since = elapsed()
  }
}
