import type { Batch, Item } from '#inventory/batch.ts'
import { jobItemId, type ImageModeration, type JobError } from '#inventory/job.ts'
import { picturesOf } from '#inventory/pictures.ts'
import type { ContentModerator } from '../moderation/types.ts'
import { letOthersRun } from '../moderation/let-others-run.ts'

/**
 * An item that was checked, as JSON, which is also a part of its record: as objects, the items of a batch that waits for pictures
 * would take several times as much memory.
 */
export interface Checked {
  sourceId: string
  json: string
  index: number
  /** How many of its pictures are to be judged. */
  pictures: number
  images?: ImageModeration
  errors: readonly JobError[]
  flags: readonly JobError[]
  isRejected: boolean
}

/** A picture counts as so many more bytes of the text of a batch that waits, for the verdict; an error as these and its texts. */
const BYTES_OF_PICTURE = 64
const BYTES_OF_ERROR = 300

/** Bytes that an item has in memory beside its text while its batch waits for pictures. */
export function bytesBesideText({ pictures, images, errors, flags }: Checked): number {
  const ofErrors = [...errors, ...flags].map(({ path, message }) => BYTES_OF_ERROR + path.length + message.length)
  const refused = images?.rejected.length ?? 0
  return ofErrors.reduce((sum, bytes) => sum + bytes, (pictures + refused) * BYTES_OF_PICTURE)
}

/** What the check of the texts has to know of an attempt at a batch. */
export interface CheckedAttempt {
  jobId: string
  batch: Batch
  /** Words that do not count as profanity in the texts of its client. */
  allowedWords?: readonly string[] | undefined
  /** Aborts when the worker stops. */
  signal: AbortSignal
}

/** The items of a batch, each with the faults of its texts. */
export async function checkContents(attempt: CheckedAttempt, content: ContentModerator): Promise<Checked[]> {
  const checked: Checked[] = []
  for (const [index, item] of attempt.batch.items.entries()) {
    attempt.signal.throwIfAborted()
    checked.push(checkContent(attempt, content, { item, index }))
    await letOthersRun()
  }
  return checked
}

function checkContent(
  attempt: CheckedAttempt,
  content: ContentModerator,
  { item, index }: { item: Item; index: number },
): Checked {
  const json = JSON.stringify(item)
  const faults = attempt.batch.moderate_content === false ? [] : content.check(item, attempt.allowedWords, json)
  const told = (isFlag: boolean) =>
    faults
      .filter((fault) => (fault.isFlag ?? false) === isFlag)
      .map(({ path, code, message }) => ({
        job_item_id: jobItemId(attempt.jobId, index),
        index,
        path: `/items/${index}${path}`,
        code,
        message,
      }))
  const [errors, flags] = [told(false), told(true)]
  const checked = { sourceId: item.vehicle.source_id, json, index, errors, flags, isRejected: errors.length > 0 }
  const pictures = attempt.batch.moderate_images === false ? [] : picturesOf(item)
  if (!checked.isRejected || pictures.length === 0) return { ...checked, pictures: pictures.length }
  // They are not fetched and not kept.
  const rejected = pictures.map(({ src }) => ({ src }))
  const images = { job_item_id: jobItemId(attempt.jobId, index), index, accepted: [], rejected }
  return { ...checked, pictures: 0, images }
}
