import type { PublishedKind } from '#rates/published/format.ts'
import type { Clock } from '#runtime/clock.ts'

/**
 * Milliseconds in which changes are collected before a publication, so that an applied folder is one release rather
 * than thirty.
 */
const LEAST_MS = 50
/** Longest collection: a suspension must reach the API processes within seconds, however long runs take. */
const MOST_MS = 2000

/**
 * When runs take seconds, as with 10,000 clients, the next run begins no sooner than that time after the end of the last;
 * otherwise runs would follow one another without a pause. A change after a quiet time does not wait for a run of long ago.
 */
export function publishingPace(clock: Pick<Clock, 'elapsed'>) {
  const last = { rates: { ms: 0, endedAt: 0 }, clients: { ms: 0, endedAt: 0 } }
  return {
    took: (kind: PublishedKind, seconds: number): void => {
      last[kind] = { ms: seconds * 1000, endedAt: clock.elapsed() }
    },
    /** Milliseconds in which to collect further changes. */
    debounceMs: (kind: PublishedKind): number => {
      const { ms, endedAt } = last[kind]
      return Math.max(LEAST_MS, Math.min(MOST_MS, ms) - (clock.elapsed() - endedAt))
    },
  }
}
