import type { V1ConfigMap } from '@kubernetes/client-node'
import { isSequence, type ClientShardReference, type RateSetEntry } from '#rates/published/format.ts'

/**
 * That a release needed a shard, as the operator of format version 1 wrote it on each of them. Nothing writes stamps any
 * more: they are read where such an installation has lost its index before the first history was written.
 */
export interface Stamp {
  sequence: number
  release: string
  /** When the release was made, ISO. */
  at: string
  /** The index entry that the shard belongs to: with the stamps of all shards, the whole index. */
  entry: RateSetEntry | ClientShardReference
}

export const STAMPS_ANNOTATION = 'rates.driveaway.dev/stamps'
/** On a shard of a set that was withdrawn: it is kept for readers, and nothing is rebuilt from it. */
export const WITHDRAWN_LABEL = 'rates.driveaway.dev/withdrawn'
/** The publication that last brought a shard in: a younger one than the oldest kept may still be under way. */
export const SEQUENCE_LABEL = 'rates.driveaway.dev/sequence'

/** The stamps of a shard; none where they cannot be read. */
export function readStamps(object: { metadata?: { annotations?: Record<string, string> } }): Stamp[] {
  try {
    const stamps: unknown = JSON.parse(object.metadata?.annotations?.[STAMPS_ANNOTATION] ?? '[]')
    return Array.isArray(stamps) ? stamps.filter(isStamp) : []
  } catch {
    return []
  }
}

function isStamp(value: Partial<Stamp> | null): value is Stamp {
  return (
    isSequence(value?.sequence) &&
    typeof value?.at === 'string' &&
    typeof value.entry === 'object' &&
    value.entry !== null
  )
}

/** The sequence on the label of a shard; 0 where there is none that can be believed. */
export function sequenceOf(shard: V1ConfigMap): number {
  const sequence = Number(shard.metadata?.labels?.[SEQUENCE_LABEL])
  return isSequence(sequence) ? sequence : 0
}
