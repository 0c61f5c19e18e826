import type { Batch } from '#inventory/batch.ts'
import { ApiError } from '../../errors.ts'
import { jsonReader } from '../../http/read-body.ts'
import { acceptBatch } from '../accept-batch.ts'
import { batchFault } from '../batch-faults.ts'
import type { Operation } from '../operation.ts'

/** Bytes of a batch: 2 MB, in the larger of its two meanings. */
const LARGEST_BATCH = 2 * 1024 * 1024

/** `POST /batch`. */
export const createBatch: Operation = ({ contract, store, log }) => {
  const readBody = jsonReader(contract.mediaTypes, { limit: LARGEST_BATCH })
  return async (ctx, { clientId, uid }) => {
    const { idempotency, jobs, queue } = store()
    const requestBody = await readBody(ctx)
    const fault = batchFault(contract, { header: ctx.headers, requestBody })
    if (fault) throw fault
    const batch = requestBody as Batch
    const text = storedText(batch)
    const idempotencyKey = ctx.get('idempotency-key') || undefined
    const upload = { caller: { clientId, uid }, batch, text, idempotencyKey }
    const jobId = await acceptBatch({ idempotency, jobs, queue }, upload)
    log.info({ jobId, clientId, items: batch.items.length, requestId: ctx.state.requestId }, 'batch accepted')
    ctx.status = 201
    ctx.set('location', `/jobs/${jobId}`)
    ctx.set('cache-control', 'no-store')
    ctx.body = { job_id: jobId }
  }
}

function storedText(batch: Batch): string {
  const text = JSON.stringify(batch)
  // A number may be sent as 1e20 and is written in 21 digits: everything behind this counts on the limit.
  if (Buffer.byteLength(text) > LARGEST_BATCH) throw new ApiError('payload_too_large', 'The body is too large.')
  return text
}
