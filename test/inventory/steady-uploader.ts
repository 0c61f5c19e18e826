import { setTimeout as sleep } from 'node:timers/promises'
import type { Item } from '../../inventory/batch.ts'
import { batch, item } from './uploads.ts'
import type { RunningApi } from './programs.ts'

/** A batch that was answered with 201. */
export interface AcceptedBatch {
  jobId: string
  /** Number of the batch among its client's, from 1; each of its vehicles carries it. */
  number: number
  vehicles: readonly SentVehicle[]
}

export interface SentVehicle {
  sourceId: string
  /** The addresses of its pictures. */
  pictures: readonly string[]
}

export interface SteadyUploader {
  clientId: string
  accepted: AcceptedBatch[]
  /** Answers other than 201, and requests without an answer, each of which was made again. */
  retries: number
}

export interface Uploading {
  /** Vehicles in each batch. */
  items: number
  /** Where their pictures are. */
  pictures: string
  until: AbortSignal
}

const VEHICLES = 120
/** More than most runs upload twice: where a later batch has stored a vehicle, nothing shows the late pictures of the one before. */
const WITH_PICTURES = 75
/** Every tenth batch has pictures, and asks for their moderation. */
const PICTURES_EVERY = 10
const RETRY_MS = 100
/** Between two batches of a client: faster than that, and a slow machine is still working on them long after the last kill. */
const PACE_MS = 200

/**
 * Uploads one batch after another until the signal aborts; each is repeated with its idempotency key until it is
 * answered with 201, as a client does that will not lose one.
 */
export async function uploadSteadily(api: RunningApi, uploader: SteadyUploader, uploading: Uploading): Promise<void> {
  let token = ''
  for (let number = 1; !uploading.until.aborted; number += 1) {
    const vehicles = vehiclesOf(number, uploader, uploading)
    const body = bodyOf(number, vehicles)
    for (let jobId: string | undefined; jobId === undefined;) {
      token ||= await api.token(uploader.clientId).catch(() => '')
      const answer = token === '' ? undefined : await post(api, { token, key: `batch-${number}`, body })
      if (answer?.status === 401) token = ''
      jobId = answer?.jobId
      if (jobId === undefined) {
        uploader.retries += 1
        await sleep(RETRY_MS)
      } else uploader.accepted.push({ jobId, number, vehicles })
    }
    await sleep(PACE_MS)
  }
}

/** The vehicles of a batch, the same for the same number: each is in every few batches with pictures, or without. */
function vehiclesOf(number: number, { clientId }: SteadyUploader, { items, pictures }: Uploading): SentVehicle[] {
  const indexes = Array.from({ length: items }, (_, index) => index)
  if (number % PICTURES_EVERY > 0) {
    return indexes.map((index) => ({ sourceId: `v${(number * 7 + index) % VEHICLES}`, pictures: [] }))
  }
  return indexes.map((index) => {
    const sourceId = `p${((number / PICTURES_EVERY) * items + index) % WITH_PICTURES}`
    const at = `${clientId}/${sourceId}`
    const kind = index === 0 ? 'broken' : 'good'
    // One that each upload of the vehicle has, and one of this upload.
    return { sourceId, pictures: [`${pictures}/good/${at}/front.jpg`, `${pictures}/${kind}/${at}/${number}.jpg`] }
  })
}

function bodyOf(number: number, vehicles: readonly SentVehicle[]): string {
  const items = vehicles.map(({ sourceId, pictures }): Item =>
    item(sourceId, { vehicle: { odometer: number }, assets: pictures.map((src) => ({ src })) }),
  )
  const hasPictures = vehicles.some(({ pictures }) => pictures.length > 0)
  return JSON.stringify(batch(items, { moderate_images: hasPictures }))
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
