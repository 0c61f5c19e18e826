import { asksForImages } from '#inventory/batch.ts'
import { newJob, publicJob } from '#inventory/job.ts'
import type { HeldJob } from '#inventory/jobs.ts'
import type { InventoryStore } from '#inventory/store.ts'
import { storeFault } from '../accept-batch.ts'
import { ApiError } from '../../errors.ts'
import type { PollOperation } from '../operation.ts'

const HEADERS = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `GET /jobs/{job_id}`. */
export const getJob: PollOperation = {
  operationId: 'getJob',
  bodyLimit: 0,
  check: (_, { path: { job_id: jobId = '' } = {} }) => (UUID.test(jobId) ? undefined : noSuchJob()),
  handle: async ({ client, params: { job_id: jobId = '' }, store, reads }) => {
    // RFC 9562, 4: a UUID is written in lower case and read in either.
    const name = { clientId: client.clientId, id: jobId.toLowerCase() }
    const opened = store()
    return reads.inTurn(async () => {
      const found = await find(opened, name).catch(rethrow)
      // A job of another client is answered like one that does not exist; so is a job of an earlier client with the same
      // name.
      if (found?.record.client_uid !== client.uid) throw noSuchJob()
      await reads.room(found.bytes)
      return { headers: HEADERS, body: Buffer.from(JSON.stringify(publicJob(found.record))) }
    })
  },
}

const noSuchJob = () => new ApiError('not_found', 'There is no such job.')

type JobStore = Pick<InventoryStore, 'jobs' | 'queue'>

async function find(
  { jobs, queue }: JobStore,
  { clientId, id }: { clientId: string; id: string },
): Promise<Pick<HeldJob, 'record' | 'bytes'> | undefined> {
  const found = await jobs.read(clientId, id)
  if (found) return found
  // A batch may wait longer than its job record is kept.
  const waiting = await queue.waiting(clientId, id)
  if (!waiting) return undefined
  const { clientUid, acceptedAt, text } = waiting
  const record = newJob({ id, clientId, clientUid, createdAt: acceptedAt, moderateImages: asksForImages(text) })
  return { record, bytes: 0 }
}

function rethrow(error: unknown): never {
  throw storeFault(error)
}
