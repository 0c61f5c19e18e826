import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds for which computation may block the event loop. */
const LONGEST_MS = 20

let since = performance.now()
let turns = 0

/**
 * Yields to the event loop after 20 ms of computation. Otherwise NATS replies time out and the batch is redelivered. Where several
 * callers have yielded, they go on one after the other until 20 ms are over again; the rest yield once more.
 */
export async function letOthersRun(): Promise<void> {
  while (performance.now() - since >= LONGEST_MS) {
    const turn = turns
    await nextTurn()
    if (turn !== turns) continue
    turns += 1
    since = performance.now()
  }
}
