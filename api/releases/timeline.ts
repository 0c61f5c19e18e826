import { isDate } from '#rates/engine/dates.ts'
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
    ...{ release: each.release, inForce: each.inForce, kept: each },
    isCurrent: each.release === release,
  }))
  // The operator keeps a release a moment after it is published.
  if (!known.some(({ isCurrent }) => isCurrent))
    known.push({ release, inForce: [{ since: loadedAt }], isCurrent: true })
  return known.toSorted((a, b) => (lastSince(a) < lastSince(b) ? 1 : -1))
}

const lastSince = ({ inForce }: KnownRelease): string => inForce.at(-1)?.since ?? ''

/** The release that was in force at a time in milliseconds; undefined where none is known. */
export function inForceAt(known: readonly KnownRelease[], at: number): KnownRelease | undefined {
  const covers = ({ since, until }: InForce) =>
    Date.parse(since) <= at && (until === undefined || at < Date.parse(until))
  // The newest first: the end of a period is written a moment after the next one has begun.
  return known.find(({ inForce }) => inForce.some(covers))
}

/** The time that an ISO text with a zone means, in milliseconds; undefined where it is none. */
export function timeOf(text: string): number | undefined {
  const [matched, day = '', hour, minute, second = '0'] =
    /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  if (matched === undefined || !isDate(day)) return undefined
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  const time = Date.parse(text)
  return isTime && !Number.isNaN(time) ? time : undefined
}
