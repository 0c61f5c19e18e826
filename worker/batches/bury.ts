import type { Batch } from '#inventory/batch.ts'
import type { QueuedBatch } from '#inventory/batch-queue.ts'
import { jobItemId, type JobError, type JobResult } from '#inventory/job.ts'
import type { HeldJob } from '#inventory/jobs.ts'
import type { InventoryStore } from '#inventory/store.ts'

/** A batch on which nothing more is tried. */
export interface Hopeless {
  queued: QueuedBatch
  begun: HeldJob
  /** Undefined when it cannot be read. */
  batch: Batch | undefined
  reason: string
}

type BuryingStore = Pick<InventoryStore, 'deadLetters' | 'jobs' | 'vehicles'>

/** Keeps a batch among the dead letters, then completes its job with what is stored of it, and errors for the rest. */
export async function bury({ queued, begun, batch, reason }: Hopeless, store: BuryingStore): Promise<void> {
  await store.deadLetters.keep(queued, reason)
  const result = batch ? await whatIsStored(queued, batch, store) : nothingStored(queued)
  await store.jobs.complete(begun, result, new Date())
}

async function whatIsStored(
  { clientId, jobId, sequence }: QueuedBatch,
  batch: Batch,
  { vehicles }: BuryingStore,
): Promise<JobResult> {
  const errors: JobError[] = []
  for (const [index, item] of batch.items.entries()) {
    const found = await vehicles.read(clientId, item.vehicle.source_id)
    // Stored by an earlier attempt, or replaced since by what came later.
    const isStored = found && (found.order.sequence - sequence || found.order.index - index) >= 0
    if (!isStored) errors.push(notProcessed(jobId, index))
  }
  const rejected = errors.length
  return { counts: { accepted: batch.items.length - rejected, rejected }, errors }
}

function nothingStored({ jobId }: QueuedBatch): JobResult {
  return { counts: { accepted: 0, rejected: 0 }, errors: [notProcessed(jobId, 0)] }
}

function notProcessed(jobId: string, index: number): JobError {
  const message =
    'The item could not be processed. The batch is kept for the operator of this service; do upload it again.'
  return { job_item_id: jobItemId(jobId, index), index, path: `/items/${index}`, code: 'NOT_PROCESSED', message }
}
