import type { Clock } from './clock.ts'

/** What a late timer left over may be made up for within this time; more would be a burst. */
const SLACK_MS = 100

/** Turns at a bounded rate: each call settles when its turn has come, in the order of the calls. */
export function pace(perSecond: number, clock: Clock): () => Promise<void> {
  const apartMs = 1000 / perSecond
  let nextAt = -Infinity
  return async () => {
    const now = clock.elapsed()
    const at = Math.max(nextAt, now - SLACK_MS)
    nextAt = at + apartMs
    if (at > now) await clock.sleep(at - now)
  }
}
