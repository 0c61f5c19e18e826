/** One message to the uploader about an item. */
export interface JobError {
  job_item_id: string
  /** Position of the item in the batch, from 0. */
  index: number
  /** JSON pointer from the batch: `/items/3/vehicle/description`. */
  path: string
  /** Stable, in capitals. */
  code: string
  message: string
}

/** The code of an item in a batch that was given up: the uploader may send the batch again, with the same key too. */
export const NOT_PROCESSED = 'NOT_PROCESSED'

/** The result of image moderation for the pictures of one item. */
export interface ImageModeration {
  job_item_id: string
  index: number
  accepted: { src: string }[]
  rejected: { src: string }[]
}

/** The job as an uploader reads it. */
export interface Job {
  id: string
  status: 'processing' | 'completed'
  created_at: string
  completed_at?: string
  /** Numbers of items: both 0 until the job is completed, then together all items of the batch. */
  counts: { accepted: number; rejected: number }
  errors: readonly JobError[]
  /** Items that were stored but that a person should check; absent when there are none. */
  flags?: readonly JobError[]
  /** Present when the batch asked for image moderation. */
  image_moderation?: readonly ImageModeration[]
}

/** A job as it is stored. */
export interface JobRecord extends Job {
  client_id: string
  /** The client that may read the job: a client that is created again under the same name has another uid. */
  client_uid: string
  /** Number of attempts that were begun, without those that a stopping worker gave back. */
  attempts: number
  /** Why the last attempt failed, if the worker was able to record it. */
  last_failure?: string
}

/** The result of a batch. */
export type JobResult = Pick<Job, 'counts' | 'errors' | 'flags' | 'image_moderation'>

export interface NewJob {
  id: string
  clientId: string
  clientUid: string
  createdAt: Date
  moderateImages: boolean
}

/** A job whose processing has not begun. */
export function newJob({ id, clientId, clientUid, createdAt, moderateImages }: NewJob): JobRecord {
  return {
    id,
    client_id: clientId,
    client_uid: clientUid,
    status: 'processing',
    created_at: createdAt.toISOString(),
    counts: { accepted: 0, rejected: 0 },
    errors: [],
    ...(moderateImages && { image_moderation: [] }),
    attempts: 0,
  }
}

/** Whether the batch of a completed job became a dead letter with items that were not stored. */
export const isGivenUp = ({ errors }: Job): boolean => errors.some(({ code }) => code === NOT_PROCESSED)

/** The job as its uploader sees it. */
export function publicJob(record: JobRecord): Job {
  const { id, status, created_at, completed_at, counts, errors, flags, image_moderation } = record
  return {
    id,
    status,
    created_at,
    ...(completed_at !== undefined && { completed_at }),
    counts,
    errors,
    ...(flags && { flags }),
    ...(image_moderation && { image_moderation }),
  }
}

/** The id of one item of a job; always the same for the same item. */
export const jobItemId = (jobId: string, index: number): string => `${jobId}-${index}`
