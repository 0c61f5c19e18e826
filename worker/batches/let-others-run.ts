import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds for which computation may block the event loop. */
const LONGEST_MS = 20

let since = performance.now()

/**
 * Waits for a turn of the event loop when its callers have blocked it for too long: unread answers of the store count
 * as late, and a message without signs of life goes to another worker.
 */
export async function letOthersRun(): Promise<void> {
  if (performance.now() - since < LONGEST_MS) return
  await nextTurn()
  since = performance.now()
}
