import { lastSince } from '#rates/release/in-force.ts'
import type { InForce, KeptRelease } from '#rates/release/kept-release.ts'

export const DAY_MS = 86_400_000

/** One release that can be asked for. */
export interface KnownRelease {
  release: string
  inForce: readonly InForce[]
  isCurrent: boolean
  /** Undefined for the release in use where nothing is kept of it. */
  kept?: KeptRelease
}

export interface InUse {
  release: string
  /** ISO time. */
  loadedAt: string
}

/** Everything that can be asked for, the newest first: what is kept, and what this process uses. */
export function knownReleases(kept: readonly KeptRelease[], { release, loadedAt }: InUse): KnownRelease[] {
  const known: KnownRelease[] = kept.map((each) => ({
    release: each.release,
    inForce: each.inForce,
    kept: each,
    isCurrent: each.release === release,
  }))
  // The operator keeps a release a moment after it is published.
  if (!known.some(({ isCurrent }) => isCurrent))
    known.push({ release, inForce: [{ since: loadedAt }], isCurrent: true })
  return known.toSorted((a, b) => (lastSince(a) < lastSince(b) ? 1 : -1))
}
