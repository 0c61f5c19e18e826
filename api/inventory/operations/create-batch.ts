import { acceptBatch } from '../accept-batch.ts'
import type { UploadOperation } from '../operation.ts'

/** Largest batch in bytes: 2 MB, read as 2 × 1024 × 1024. */
export const LARGEST_BATCH = 2 * 1024 * 1024

/** `POST /batch`. */
export const createBatch: UploadOperation = {
  operationId: 'createBatch',
  bodyLimit: LARGEST_BATCH,
  examine: (contract, parts, bytes, { examiner, client }) =>
    examiner.examine(contract, client.clientId, { bytes, parts }),
  handle: async ({ client, requestId, trace, header, body: batch, store, log }) => {
    const idempotencyKey = (header['idempotency-key'] as string | undefined) || undefined
    const { clientId } = client
    const jobId = await acceptBatch(store, { caller: client, batch, idempotencyKey, traceparent: trace?.traceparent })
    log.info({ jobId, clientId, items: batch.sourceIds.length, requestId, traceId: trace?.traceId }, 'batch accepted')
    const headers = { location: `/jobs/${jobId}`, 'cache-control': 'no-store' }
    return { status: 201, headers, body: { job_id: jobId } }
  },
}
