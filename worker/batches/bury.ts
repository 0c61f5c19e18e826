import type { Batch, Item } from '#inventory/batch.ts'
import type { QueuedBatch } from '#inventory/batch-queue.ts'
import { jobItemId, NOT_PROCESSED, type ImageModeration, type JobError, type JobResult } from '#inventory/job.ts'
import type { HeldJob } from '#inventory/jobs.ts'
import { picturesOf } from '#inventory/pictures.ts'
import type { InventoryStore } from '#inventory/store.ts'

/** A batch that is given up. */
export interface Hopeless {
  queued: QueuedBatch
  begun: HeldJob
  /** Undefined when the batch cannot be read. */
  batch: Batch | undefined
  reason: string
}

type BuryingStore = Pick<InventoryStore, 'deadLetters' | 'jobs' | 'vehicles'>

/**
 * Stores a batch as a dead letter, then completes its job with the items that are stored, and errors for the rest.
 * Returns false when another attempt has begun, which then does this.
 */
export async function bury({ queued, begun, batch, reason }: Hopeless, store: BuryingStore): Promise<boolean> {
  await store.deadLetters.keep(queued, reason)
  const result = batch ? await whatIsStored(queued, batch, store) : nothingStored(queued)
  return store.jobs.complete(begun, result, new Date())
}

async function whatIsStored(
  { clientId, jobId, sequence }: QueuedBatch,
  batch: Batch,
  { vehicles }: BuryingStore,
): Promise<JobResult> {
  const errors: JobError[] = []
  const images: ImageModeration[] = []
  for (const [index, item] of batch.items.entries()) {
    const found = await vehicles.read(clientId, item.vehicle.source_id)
    // Stored by an earlier attempt, or since replaced by a later upload.
    const isStored = found && (found.order.sequence - sequence || found.order.index - index) >= 0
    if (!isStored) errors.push(notProcessed(jobId, index))
    const pictures = picturesKept(item, isStored ? found.item : undefined)
    if (pictures) images.push({ job_item_id: jobItemId(jobId, index), index, ...pictures })
  }
  const rejected = errors.length
  const counts = { accepted: batch.items.length - rejected, rejected }
  return { counts, errors, ...(batch.moderate_images !== false && { image_moderation: images }) }
}

/** The pictures that were sent, each with whether the stored vehicle has it; undefined when none was sent. */
function picturesKept(sent: Item, stored: Item | undefined): Pick<ImageModeration, 'accepted' | 'rejected'> | undefined {
  const kept = new Set((stored ? picturesOf(stored) : []).map(({ src }) => src))
  const pictures = picturesOf(sent).map(({ src }) => ({ src }))
  if (pictures.length === 0) return undefined
  return { accepted: pictures.filter(({ src }) => kept.has(src)), rejected: pictures.filter(({ src }) => !kept.has(src)) }
}

function nothingStored({ jobId }: QueuedBatch): JobResult {
  return { counts: { accepted: 0, rejected: 0 }, errors: [notProcessed(jobId, 0)] }
}

function notProcessed(jobId: string, index: number): JobError {
  const message =
    'The item could not be processed. Upload the batch again; the operator of this service keeps the failed batch.'
  return { job_item_id: jobItemId(jobId, index), index, path: `/items/${index}`, code: NOT_PROCESSED, message }
}
