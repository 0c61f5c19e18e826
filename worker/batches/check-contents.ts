import type { Batch } from '#inventory/batch.ts'
import { jobItemId, type ImageModeration, type JobError } from '#inventory/job.ts'
import { picturesOf, type Picture } from '#inventory/pictures.ts'
import type { ContentFault, ContentModerator } from '../moderation/types.ts'
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
  clientId: string
  batch: Batch
  /** Words that do not count as profanity in the texts of its client. */
  allowedWords?: readonly string[] | undefined
  /** Aborts when the worker stops. */
  signal: AbortSignal
}

/**
 * Characters of an item as JSON beyond which its check may take longer than other work can wait: the most expensive texts take 20 ms
 * for so many.
 */
const LONG = 32 * 1024

/** An item as text. */
interface ReadItem {
  sourceId: string
  json: string
  index: number
  /** Those that are to be judged. */
  pictures: readonly Picture[]
}

/** The items of a batch, each with the faults of its texts; the batch has no items then. */
export async function checkContents(attempt: CheckedAttempt, content: ContentModerator): Promise<Checked[]> {
  const { jobId, clientId, allowedWords, signal } = attempt
  const read = await checkShort(attempt, content)
  // Nobody needs the items any more. While long ones are checked and pictures load, they would fill the memory, and each collection of
  // garbage would copy them.
  attempt.batch.items = []
  const checked: Checked[] = []
  for (const each of read) {
    if ('errors' in each) checked.push(each)
    else {
      const faults = await content.checkLong!({ json: each.json, allowedWords, clientId, signal })
      checked.push(asChecked(jobId, each, faults))
    }
  }
  return checked
}

/** The items of a batch, of which all but the long ones are checked. */
async function checkShort(attempt: CheckedAttempt, content: ContentModerator): Promise<(Checked | ReadItem)[]> {
  const { batch, jobId, allowedWords, signal } = attempt
  const read: (Checked | ReadItem)[] = []
  for (const [index, item] of batch.items.entries()) {
    signal.throwIfAborted()
    const json = JSON.stringify(item)
    const pictures = batch.moderate_images === false ? [] : picturesOf(item)
    const each = { sourceId: item.vehicle.source_id, json, index, pictures }
    if (batch.moderate_content === false) read.push(asChecked(jobId, each, []))
    else if (content.checkLong && json.length > LONG) read.push(each)
    else read.push(asChecked(jobId, each, content.check(item, allowedWords, json)))
    await letOthersRun()
  }
  return read
}

function asChecked(jobId: string, read: ReadItem, faults: readonly ContentFault[]): Checked {
  const { sourceId, json, index, pictures } = read
  const told = (isFlag: boolean) =>
    faults
      .filter((fault) => (fault.isFlag ?? false) === isFlag)
      .map(({ path, code, message }) => ({
        job_item_id: jobItemId(jobId, index),
        index,
        path: `/items/${index}${path}`,
        code,
        message,
      }))
  const [errors, flags] = [told(false), told(true)]
  const checked = { sourceId, json, index, errors, flags, isRejected: errors.length > 0 }
  if (!checked.isRejected || pictures.length === 0) return { ...checked, pictures: pictures.length }
  // They are not fetched and not kept.
  const rejected = pictures.map(({ src }) => ({ src }))
  const images = { job_item_id: jobItemId(jobId, index), index, accepted: [], rejected }
  return { ...checked, pictures: 0, images }
}
