import { lastSince, mergedPeriods, type InForce } from '#rates/release/in-force.ts'
import type { KeptRelease } from '#rates/release/kept-release.ts'
import type { ArchivedRelease } from './archive.ts'

export const DAY_MS = 86_400_000

/** One release that is known, and where it can be read. */
export interface KnownRelease {
  release: string
  inForce: readonly InForce[]
  isCurrent: boolean
  /** Undefined where the cluster has nothing of it. */
  kept?: KeptRelease
  archived?: ArchivedRelease
}

export interface InUse {
  release: string
  /** ISO time. */
  loadedAt: string
}

/** Whether the cluster has the content of a release, and not only its name and times. */
export const isInCluster = ({ kept }: KnownRelease): boolean => kept !== undefined && kept.notKept === undefined

/** Whether a request can be priced with a release. */
export const isUsable = (known: KnownRelease): boolean =>
  known.isCurrent || isInCluster(known) || known.archived !== undefined

/** Every release that is known, the newest first: what the cluster and the archive have, and what this process uses. */
export function knownReleases(
  kept: readonly KeptRelease[],
  archived: readonly ArchivedRelease[],
  { release, loadedAt }: InUse,
): KnownRelease[] {
  const known = new Map<string, KnownRelease>()
  const add = (name: string, inForce: readonly InForce[], place: Pick<KnownRelease, 'kept' | 'archived'>) => {
    const before = known.get(name)
    const periods = mergedPeriods(before?.inForce ?? [], inForce)
    known.set(name, { ...before, release: name, isCurrent: name === release, ...place, inForce: periods })
  }
  for (const each of archived) add(each.release, each.inForce, { archived: each })
  for (const each of kept) add(each.release, each.inForce, { kept: each })
  // The operator keeps a release a moment after it is published.
  if (!known.get(release)?.kept) add(release, [{ since: loadedAt }], {})
  return [...known.values()].toSorted((a, b) => (lastSince(a) < lastSince(b) ? 1 : -1))
}
