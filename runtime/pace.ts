import type { Clock } from './clock.ts'

/** A late timer may be caught up within this time, in milliseconds; more would cause a burst. */
const SLACK_MS = 100

/** The rate is divided by this while other work goes first; turns never stop. */
const RARER = 10

/**
 * Gives turns at a limited rate: each call settles when its turn comes, in the order of the calls. While `givesWay`
 * returns true, the rate is a tenth.
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
