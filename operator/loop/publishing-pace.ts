import type { PublishedKind } from '#rates/published/format.ts'
import type { Clock } from '#runtime/clock.ts'

/**
 * Milliseconds in which changes are collected before a publication, so that an applied folder is one release rather
 * than thirty.
 */
const LEAST_MS = 50
/** Longest collection: a suspension must reach the API processes within seconds, however long runs take. */
const MOST_MS = 2000

interface Runs {
  /** Milliseconds that the last run took, and when it ended. */
  ms: number
  endedAt: number
  /** Set while a run is in progress. */
  beganAt?: number
}

/**
 * When runs take seconds, as with 10,000 clients, changes are collected for as long; otherwise runs would follow one
 * another without a pause. A change after a quiet time does not wait for the length of a run of long ago.
 */
export function publishingPace(clock: Pick<Clock, 'elapsed'>) {
  const runs: Record<PublishedKind, Runs> = { rates: { ms: 0, endedAt: 0 }, clients: { ms: 0, endedAt: 0 } }
  return {
    began: (kind: PublishedKind): void => void (runs[kind].beganAt = clock.elapsed()),
    ended: (kind: PublishedKind): void => {
      const endedAt = clock.elapsed()
      runs[kind] = { ms: endedAt - (runs[kind].beganAt ?? endedAt), endedAt }
    },
    /** Milliseconds in which to collect further changes. */
    debounceMs: (kind: PublishedKind): number => {
      const { ms, endedAt, beganAt } = runs[kind]
      const sinceMs = beganAt === undefined ? clock.elapsed() - endedAt : 0
      return Math.max(LEAST_MS, Math.min(MOST_MS, ms) - sinceMs)
    },
  }
}
