import { LARGEST_MESSAGE } from '#runtime/nats/declare.ts'
import type { Batch } from './batch.ts'
import { picturesOf } from './pictures.ts'

/** A job that is completed without its lists, and the bytes that its record loses at each writing before that. */
export const SHORTEST_JOB = 2_048
/** The rest of a message is for its subject and its headers. */
export const LONGEST_JOB = LARGEST_MESSAGE - 2_048
/** One error of an item. */
const ENTRY = 320
/** An item among the judged pictures, without the pictures. */
const JUDGED_ITEM = 100
/** A picture beyond its address, as JSON. */
const JUDGED_PICTURE = 11

/**
 * Bytes that the job of a batch takes once it is completed: its pictures and one error of each item. A job with more errors
 * is written whole while there is room, and else without its lists.
 */
export function jobBytes({ items, moderate_images: areJudged }: Batch): number {
  const listed = (item: Batch['items'][number]) =>
    picturesOf(item).reduce((sum, { src }) => sum + Buffer.byteLength(src) + JUDGED_PICTURE, JUDGED_ITEM)
  const bytes = items.reduce((sum, item) => sum + ENTRY + (areJudged === false ? 0 : listed(item)), SHORTEST_JOB)
  return Math.min(bytes, LONGEST_JOB)
}
