/** One thing that an uploader should know about an item. */
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

/** The code of an item of a batch that was given up: its uploader may send it again, under the same key too. */
export const NOT_PROCESSED = 'NOT_PROCESSED'

/** What image moderation said of the pictures of one item. */
export interface ImageModeration {
  job_item_id: string
  index: number
  accepted: { src: string }[]
  rejected: { src: string }[]
}

/** What an uploader polls. */
export interface Job {
  id: string
  status: 'processing' | 'completed'
  created_at: string
  completed_at?: string
  /** Items; both 0 until the job is completed, then together all items of the batch. */
  counts: { accepted: number; rejected: number }
  errors: readonly JobError[]
  /** What a person should look at in items that were stored; present when there is any. */
  flags?: readonly JobError[]
  /** Present when the batch asked for image moderation. */
  image_moderation?: readonly ImageModeration[]
}

/** A job as it is kept. */
export interface JobRecord extends Job {
  client_id: string
  /** Who may ask for it: a client that is made anew under the same name has another one. */
  client_uid: string
  /** How often work on it was begun, not counting what a worker gave back when it stopped. */
  attempts: number
  /** Why the last attempt came to nothing, if the worker lived to say so. */
  last_failure?: string
}

/** What came of a batch. */
export type JobResult = Pick<Job, 'counts' | 'errors' | 'flags' | 'image_moderation'>

export interface NewJob {
  id: string
  clientId: string
  clientUid: string
  createdAt: Date
  moderateImages: boolean
}

/** A job on which no work was begun yet. */
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

/** Names one item of a job, the same whenever it is asked for. */
export const jobItemId = (jobId: string, index: number): string => `${jobId}-${index}`
