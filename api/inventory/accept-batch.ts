import { randomUUIDv7 } from 'node:crypto'
import { isFull } from '#runtime/nats/jetstream-error.ts'
import { isGivenUp, newJob } from '#inventory/job.ts'
import type { StoredClaim } from '#inventory/idempotency.ts'
import type { Uploader } from '#inventory/room.ts'
import type { InventoryStore } from '#inventory/store.ts'
import { framesOf } from '#inventory/vehicle-record.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { ApiError } from '../errors.ts'
import type { ExaminedBatch } from './examine-batch.ts'

/** One checked upload of a verified client. */
export interface Upload {
  caller: Pick<ClientBinding, 'clientId' | 'uid' | 'allowedWords'>
  batch: ExaminedBatch
  idempotencyKey: string | undefined
  /** Header with which the worker continues the trace of the upload. */
  traceparent?: string | undefined
}

type AcceptingStore = Pick<InventoryStore, 'idempotency' | 'jobs' | 'queue' | 'room'>

/**
 * Stores a batch and returns the id of its job once everything is acknowledged. The key is stored first, then the
 * batch, then the job: a repeated request continues where the first was interrupted, and a refused one leaves no job.
 * Throws `idempotency_key_reused`, `queue_full` or `not_ready`.
 */
export async function acceptBatch(store: AcceptingStore, upload: Upload): Promise<string> {
  const { promise: stored, resolve: end } = Promise.withResolvers<string | undefined>()
  try {
    await checkRoom(store, upload, stored)
    const claimed = await claimJob(store, upload)
    const { jobId } = claimed
    if (claimed.isCompleted) return jobId
    const { clientId, uid: clientUid } = upload.caller
    const { moderateImages } = upload.batch
    await publish(store, upload, claimed)
    end(jobId)
    const job = newJob({ id: jobId, clientId, clientUid, createdAt: new Date(), moderateImages })
    // The batch is accepted even without a job record: until work begins, the job is known by its batch.
    await store.jobs.create(job).catch(unlessFull)
    return jobId
  } catch (error) {
    throw error instanceof ApiError ? error : storeFault(error)
  } finally {
    end(undefined)
  }
}

/** `stored` says with which job the queue has the batch, once that is known. */
async function checkRoom({ room }: AcceptingStore, upload: Upload, stored: Uploader['stored']): Promise<void> {
  const { caller, batch, idempotencyKey } = upload
  const { clientId, uid: clientUid } = caller
  const { bytes, jobBytes, sourceIds, sourceName } = batch
  const { most: job, leftOut } = jobBytes
  const vehicles = bytes.length + leftOut + framesOf({ clientId, sourceName, sourceIds })
  const needs = { batch: bytes.length, vehicles, job }
  const hasKey = idempotencyKey !== undefined
  const refusal = await room.refusal({ clientId, clientUid, hasKey, needs, sourceIds, stored })
  if (refusal !== undefined) throw full(refusal)
}

function unlessFull(error: unknown): void {
  if (!isFull(error)) throw error
}

/** Stores the batch. When the queue has become full since the look at it, the key of this request is removed again. */
async function publish(store: AcceptingStore, upload: Upload, { jobId, claim, isOurs }: ClaimedJob): Promise<void> {
  const { caller, batch, traceparent, idempotencyKey: key = '' } = upload
  const { clientId, uid: clientUid, allowedWords } = caller
  try {
    await store.queue.publish(jobId, batch.bytes, { clientId, clientUid, allowedWords, traceparent, replays: 0 })
  } catch (error) {
    // A key that cannot be removed ends after a day.
    if (claim && isOurs && isFull(error)) await store.idempotency.release(clientUid, key, claim).catch(() => undefined)
    throw error
  }
  // The request that claimed the key may just have been refused.
  if (claim && !isOurs) await store.idempotency.confirm(clientUid, key, claim)
}

interface ClaimedJob {
  jobId: string
  /** The valid claim of the idempotency key; undefined without a key. */
  claim?: StoredClaim
  /** This request made the claim. */
  isOurs?: boolean
  /** An earlier request with this key was completed: there is nothing left to store. */
  isCompleted: boolean
}

async function claimJob({ idempotency, jobs }: AcceptingStore, upload: Upload): Promise<ClaimedJob> {
  const jobId = randomUUIDv7()
  const { idempotencyKey: key, caller, batch } = upload
  if (key === undefined || batch.hash === undefined) return { jobId, isCompleted: false }
  const claim = { hash: batch.hash, jobId }
  const firstClaim = await idempotency.claim(caller.uid, key, claim)
  if (firstClaim.hash !== claim.hash) {
    throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was already used with a different body.')
  }
  const earlier = firstClaim.jobId === jobId ? undefined : (await jobs.read(caller.clientId, firstClaim.jobId))?.record
  if (earlier?.status !== 'completed') return claimedBy(firstClaim, jobId)
  if (!isGivenUp(earlier)) return { jobId: firstClaim.jobId, isCompleted: true }
  // A batch that was given up has to be uploaded again, and most clients reuse its key.
  const renewed = await idempotency.renew(caller.uid, key, firstClaim, claim)
  return claimedBy(renewed, jobId)
}

/** `own` is the job for which this request would have claimed its key. */
const claimedBy = (claim: StoredClaim, own: string): ClaimedJob => ({
  jobId: claim.jobId,
  claim,
  isOurs: claim.jobId === own,
  isCompleted: false,
})

/** The 503 for a store that refused or did not answer. */
export function storeFault(cause: unknown): ApiError {
  return isFull(cause) ? full('The queue is full; try again.', cause) : unreachable(cause)
}

const full = (message: string, cause?: unknown) =>
  new ApiError('queue_full', message, { cause, headers: { 'retry-after': '30' } })

/** The 503 while there is no store. */
export function unreachable(cause?: unknown): ApiError {
  return new ApiError('not_ready', 'The queue cannot be reached; try again.', {
    cause,
    headers: { 'retry-after': '2' },
  })
}
