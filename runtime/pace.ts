import type { Clock } from './clock.ts'

/** What a late timer left over may be made up for within this time; more would be a burst. */
const SLACK_MS = 100

/** The rate is divided by this while something else goes first: turns never stop. */
const RARER = 10

/**
 * Turns at a bounded rate: each call settles when its turn has come, in the order of the calls. While
 * `givesWay` answers true, the rate is a tenth.
 */
export function pace(perSecond: number, clock: Clock, givesWay: () => boolean = () => false): () => Promise<void> {
  let nextAt = -Infinity
  return async () => {
    const now = clock.elapsed()
    const at = Math.max(nextAt, now - SLACK_MS)
    nextAt = at + (1000 / perSecond) * (givesWay() ? RARER : 1)
    if (at > now) await clock.sleep(at - now)
  }
}
