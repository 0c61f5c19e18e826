import { jobItemId, NOT_PROCESSED, type JobRecord } from './job.ts'
import { bytesAsJson } from './exact-json.ts'
import { countedErrors } from './job-bytes.ts'

/** The code of a job whose lists were left out because there was no room for them. */
const LISTS_OMITTED = 'LISTS_OMITTED'
/** A record in place of another in a full bucket is shorter by so many bytes: more than its headers can gain. */
export const SHORTER = 32

/**
 * A record with spaces after it, which JSON ignores: they keep the room for the end of a job without its lists, because a full
 * bucket takes a shorter record in place of a longer one.
 */
export function roomy(record: JobRecord, bytes: number): Uint8Array {
  const text = Buffer.from(JSON.stringify(record))
  const missing = bytes - text.length
  return missing > 0 ? Buffer.concat([text, Buffer.alloc(missing, ' ')]) : text
}

/** Whether a job has more errors and flags than were counted for it. */
export function isLongerThanCounted({ errors, flags = [], counts }: JobRecord): boolean {
  const items = (counts?.accepted ?? 0) + (counts?.rejected ?? 0)
  return bytesAsJson([errors, flags]) > countedErrors(items)
}

/** Where there is no room for the whole job: the client learns its end. The errors say whether it was given up. */
export function withoutLists(job: JobRecord): JobRecord {
  const about = { job_item_id: jobItemId(job.id, 0), index: 0, path: '/items', code: LISTS_OMITTED }
  const message =
    'The counts are right, but there was no room for the errors and pictures of this job. Upload the batch again with another key for these.'
  const givenUp = job.errors.filter(({ code }) => code === NOT_PROCESSED).slice(0, 1)
  return {
    ...withoutFlags(job),
    errors: [{ ...about, message }, ...givenUp],
    ...(job.image_moderation && { image_moderation: [] }),
  }
}

function withoutFlags(job: JobRecord): JobRecord {
  const rest = { ...job }
  delete rest.flags
  return rest
}
