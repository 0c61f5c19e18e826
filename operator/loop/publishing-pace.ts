import type { PublishedKind } from '#rates/published/format.ts'

/** Milliseconds that changes are gathered before a publication: an applied folder is one release, not thirty. */
const LEAST_MS = 50
/** A suspension must reach the API processes within seconds, however long a run takes. */
const MOST_MS = 2000

/** Where a run takes seconds, as with 10,000 clients, changes are gathered for as long: else one run would follow another. */
export function publishingPace() {
  const lastMs = { rates: 0, clients: 0 }
  return {
    took: (kind: PublishedKind, seconds: number): void => void (lastMs[kind] = seconds * 1000),
    /** Milliseconds to wait for more. */
    debounceMs: (kind: PublishedKind): number => Math.min(MOST_MS, Math.max(LEAST_MS, lastMs[kind])),
  }
}
