import type { V1ConfigMap } from '@kubernetes/client-node'
import { isContinued, type ClientShardReference, type RateSetEntry } from '#rates/published/format.ts'

/**
 * The operator of format version 1 wrote on each shard which release needed it. Nothing writes stamps any more; they
 * are read when such an installation has lost its index before its first history was written.
 */
export interface Stamp {
  sequence: number
  release: string
  /** When the release was made; ISO time. */
  at: string
  /** The index entry of the shard; the stamps of all shards together give the whole index. */
  entry: RateSetEntry | ClientShardReference
}

export const STAMPS_ANNOTATION = 'rates.driveaway.dev/stamps'
/** On a shard of a withdrawn set: it is kept for readers, and nothing is rebuilt from it. */
export const WITHDRAWN_LABEL = 'rates.driveaway.dev/withdrawn'
/** The publication that last used a shard. A publication newer than the oldest kept one may still be in progress. */
export const SEQUENCE_LABEL = 'rates.driveaway.dev/sequence'

/** The stamps of a shard; empty when they cannot be read. */
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
    isContinued(value?.sequence) &&
    typeof value?.at === 'string' &&
    typeof value.entry === 'object' &&
    value.entry !== null
  )
}

/** The sequence on the label of a shard; 0 when there is no valid one. */
export function sequenceOf(shard: V1ConfigMap): number {
  const sequence = Number(shard.metadata?.labels?.[SEQUENCE_LABEL])
  return isContinued(sequence) ? sequence : 0
}
