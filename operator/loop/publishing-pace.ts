import type { PublishedKind } from '#rates/published/format.ts'

/**
 * Milliseconds in which changes are collected before a publication, so that an applied folder is one release rather
 * than thirty.
 */
const LEAST_MS = 50
/** Longest collection: a suspension must reach the API processes within seconds, however long runs take. */
const MOST_MS = 2000

/**
 * When runs take seconds, as with 10,000 clients, changes are collected for as long; otherwise runs would follow one
 * another without a pause.
 */
export function publishingPace() {
  const lastMs = { rates: 0, clients: 0 }
  return {
    took: (kind: PublishedKind, seconds: number): void => void (lastMs[kind] = seconds * 1000),
    /** Milliseconds in which to collect further changes. */
    debounceMs: (kind: PublishedKind): number => Math.min(MOST_MS, Math.max(LEAST_MS, lastMs[kind])),
  }
}
