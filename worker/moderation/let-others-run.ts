import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds for which computation may block the event loop. */
const LONGEST_MS = 20

let since = performance.now()

/**
 * Yields to the event loop after 20 ms of computation. Otherwise NATS replies time out and the batch is redelivered.
 */
export async function letOthersRun(): Promise<void> {
  if (performance.now() - since < LONGEST_MS) return
  await nextTurn()
  since = performance.now()
}
