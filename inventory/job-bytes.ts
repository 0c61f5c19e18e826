import { LARGEST_MESSAGE } from '#runtime/nats/declare.ts'
import type { Batch } from './batch.ts'
import { bytesAsJson } from './exact-json.ts'
import { picturesOf, type Picture } from './pictures.ts'
import type { Place } from './place.ts'
import { MOST_LEFT_OUT } from './vehicle-record.ts'

/** A job that is completed without its lists, and the bytes that its record loses at each writing before that. */
export const SHORTEST_JOB = 2_048
/** The rest of a message is for its subject and its headers. */
export const LONGEST_JOB = LARGEST_MESSAGE - 2_048
/** One error of an item. */
const ENTRY = 320

/** Bytes of a job of so many items, without its pictures, that are counted when the upload is admitted. */
export const countedErrors = (items: number): number => SHORTEST_JOB + items * ENTRY
/** An item among the judged pictures, without the pictures. */
const JUDGED_ITEM = 100
/** A picture beyond its address, as JSON. */
const JUDGED_PICTURE = 9

/** The names of the lists of what a vehicle is stored without, and a position of an asset in one of them. */
const LISTS = 70
const POSITION = 4

/** Bytes of the job of a batch once it is completed, and what pictures whose source is away add to its vehicles. */
export interface JobBytes {
  /** With one error of each item; a job with more is written whole while there is room, and else without its lists. */
  most: number
  /** What the records of its vehicles say of all that these are stored without. */
  leftOut: number
}

/** Counts the pictures that the job will list, from the batch. */
export function jobBytes({ items, moderate_images: areJudged }: Batch): JobBytes {
  const found = areJudged === false ? [] : items.map(picturesOf)
  const listed = (all: readonly Picture[]) =>
    all.reduce((sum, { src }) => sum + bytesAsJson(src) + JUDGED_PICTURE, JUDGED_ITEM)
  const pictures = found.reduce((sum, all) => sum + listed(all), 0)
  return {
    most: Math.min(LONGEST_JOB, countedErrors(items.length) + pictures),
    leftOut: found.reduce((sum, all) => sum + leftOutOf(all), 0),
  }
}

function leftOutOf(pictures: readonly Picture[]): number {
  if (pictures.length === 0) return 0
  const places = pictures.flatMap(({ place }): Place[] => (place ? [place] : []))
  return LISTS + pictures.length * POSITION + Math.min(MOST_LEFT_OUT, bytesAsJson(places))
}
