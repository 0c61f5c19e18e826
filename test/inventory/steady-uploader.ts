import { setTimeout as sleep } from 'node:timers/promises'
import { batch, item } from './uploads.ts'
import type { RunningApi } from './programs.ts'

/** A batch that was answered with 201. */
export interface AcceptedBatch {
  jobId: string
  /** Number of the batch among its client's, from 1; each of its vehicles carries it. */
  number: number
  sourceIds: readonly string[]
}

export interface SteadyUploader {
  clientId: string
  accepted: AcceptedBatch[]
  /** Answers other than 201, and requests without an answer, each of which was made again. */
  retries: number
}

const VEHICLES = 120
const RETRY_MS = 100
/** Between two batches of a client: faster than that, and a slow machine is still working on them long after the last kill. */
const PACE_MS = 75

/** The vehicles of a batch, the same for the same number: each is in every few batches. */
const sourceIdsOf = (number: number, items: number): string[] =>
  Array.from({ length: items }, (_, index) => `v${(number * 7 + index) % VEHICLES}`)

/**
 * Uploads one batch after another until the signal aborts; each is repeated with its idempotency key until it is
 * answered with 201, as a client does that will not lose one.
 */
export async function uploadSteadily(
  api: RunningApi,
  uploader: SteadyUploader,
  { items, until }: { items: number; until: AbortSignal },
): Promise<void> {
  let token = ''
  for (let number = 1; !until.aborted; number += 1) {
    const sourceIds = sourceIdsOf(number, items)
    const vehicles = sourceIds.map((id) => item(id, { vehicle: { odometer: number } }))
    const body = JSON.stringify(batch(vehicles, { moderate_images: false }))
    for (let jobId: string | undefined; jobId === undefined;) {
      token ||= await api.token(uploader.clientId).catch(() => '')
      const answer = token === '' ? undefined : await post(api, { token, key: `batch-${number}`, body })
      if (answer?.status === 401) token = ''
      jobId = answer?.jobId
      if (jobId === undefined) {
        uploader.retries += 1
        await sleep(RETRY_MS)
      } else uploader.accepted.push({ jobId, number, sourceIds })
    }
    await sleep(PACE_MS)
  }
}

async function post(
  api: RunningApi,
  { token, key, body }: { token: string; key: string; body: string },
): Promise<{ status: number; jobId?: string } | undefined> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': key }
  try {
    const response = await fetch(`${api.url}/batch`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(10_000),
    })
    const { job_id: jobId } = (await response.json()) as { job_id?: string }
    return { status: response.status, ...(response.status === 201 && jobId !== undefined && { jobId }) }
  } catch {
    return undefined
  }
}
