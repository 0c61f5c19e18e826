import type { ClientsIndex, RateSetEntry } from '#rates/published/format.ts'

export type ClientShardEntry = ClientsIndex['shards'][number]

/** That a release needed a shard: written on the shard before the index names it. */
export interface Stamp {
  sequence: number
  release: string
  /** When the release was made, ISO. */
  at: string
  /** The index entry that the shard belongs to: with the stamps of all shards, the whole index. */
  entry: RateSetEntry | ClientShardEntry
}

export const STAMPS_ANNOTATION = 'rates.driveaway.dev/stamps'
export const SEQUENCE_LABEL = 'rates.driveaway.dev/sequence'

const KEPT_RELEASES = 10
const KEPT_MS = 15 * 60_000

/** The stamps of a shard; none where they cannot be read. */
export function readStamps(object: { metadata?: { annotations?: Record<string, string> } }): Stamp[] {
  try {
    const stamps: unknown = JSON.parse(object.metadata?.annotations?.[STAMPS_ANNOTATION] ?? '[]')
    return Array.isArray(stamps) ? (stamps as Stamp[]) : []
  } catch {
    return []
  }
}

/** A shard's stamps with one more, without those of releases before `from`. */
export function addStamp(stamps: readonly Stamp[], stamp: Stamp, from: number): Stamp[] {
  const others = stamps.filter((each) => each.sequence !== stamp.sequence || each.release !== stamp.release)
  return [...others.filter((each) => each.sequence >= from), stamp]
}

/**
 * The sequence from which on releases are kept: the last ten, and those in force within the last 15 minutes. A release
 * is in force until the next one is made.
 */
export function keptFrom(stamps: readonly Stamp[], current: number, now: Date): number {
  const madeAt = new Map<number, number>()
  for (const { sequence, at } of stamps) madeAt.set(sequence, Math.max(Date.parse(at), madeAt.get(sequence) ?? 0))
  let kept = Math.max(1, current - KEPT_RELEASES + 1)
  while (kept > 1 && (madeAt.get(kept) ?? 0) >= now.getTime() - KEPT_MS) kept--
  return kept
}
