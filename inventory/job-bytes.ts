import { LARGEST_MESSAGE } from '#runtime/nats/declare.ts'
import type { Batch } from './batch.ts'
import { picturesOf } from './pictures.ts'

/** A job that is completed without its lists, and the bytes that its record loses at each writing before that. */
export const SHORTEST_JOB = 2_048
/** The rest of a message is for its subject and its headers. */
export const LONGEST_JOB = LARGEST_MESSAGE - 2_048
/** A completed job without lists, with what the store adds to it. */
const USUAL = 512
/** One error of an item. */
const ENTRY = 320
/** An item among the judged pictures, without the pictures. */
const JUDGED_ITEM = 100
/** A picture beyond its address, as JSON. */
const JUDGED_PICTURE = 11

/** Bytes of the job of a batch once it is completed. */
export interface JobBytes {
  /** With one error of each item; a job with more is written whole while there is room, and else without its lists. */
  most: number
  /** Without errors. */
  usual: number
}

/** Counts the pictures that the job will list, from the batch. */
export function jobBytes({ items, moderate_images: areJudged }: Batch): JobBytes {
  const listed = (item: Batch['items'][number]) =>
    picturesOf(item).reduce((sum, { src }) => sum + Buffer.byteLength(src) + JUDGED_PICTURE, JUDGED_ITEM)
  const pictures = areJudged === false ? 0 : items.reduce((sum, item) => sum + listed(item), 0)
  const most = Math.min(LONGEST_JOB, SHORTEST_JOB + items.length * ENTRY + pictures)
  return { most, usual: Math.min(most, USUAL + pictures) }
}
