import type { Batch, Item } from '#inventory/batch.ts'
import { jobItemId, type ImageModeration, type JobError, type JobResult } from '#inventory/job.ts'
import { picturesOf } from '#inventory/pictures.ts'
import type { InventoryStore } from '#inventory/store.ts'
import { written, type VehicleOrder, type VehicleRecord, type WrittenVehicle } from '#inventory/vehicles.ts'
import { step, type Trace } from '#runtime/tracing/trace.ts'
import type { Moderation } from '../moderation/types.ts'
import { letOthersRun } from '../moderation/let-others-run.ts'
import type { Place } from './client-turns.ts'
import { moderateImages } from './moderate-images.ts'

/** One attempt at a batch. */
export interface Attempt {
  jobId: string
  clientId: string
  /** Sequence of the batch, which decides which upload is later. */
  sequence: number
  run: number
  batch: Batch
  /** Words that do not count as profanity in the texts of its client. */
  allowedWords?: readonly string[] | undefined
  /** Undefined: nothing is traced. */
  trace?: Trace | undefined
  /** Aborts when the worker stops. */
  signal: AbortSignal
  /** Freed while pictures load, with the bytes that stay in memory; undefined: the batch keeps its place. */
  place?: Pick<Place, 'leave' | 'comeBack'> & { bytes: number }
}

/** The client has its share of batches that wait for pictures: this batch is tried again when some of them are done. */
export class NoRoomToWait extends Error {
  override name = 'NoRoomToWait'
}

/** Where the vehicles of a batch go, and their late pictures. */
export type ModeratedStore = Pick<InventoryStore, 'vehicles' | 'latePictures'>

interface Checked {
  item: Item
  /** The item as JSON, which is also a part of its record; absent while pictures are judged. */
  json?: string | undefined
  index: number
  images?: ImageModeration
  leftOut?: readonly number[]
  errors: readonly JobError[]
  flags: readonly JobError[]
  isRejected: boolean
}

/**
 * Moderates a batch, stores its vehicles and returns the result of each item; the batch has no items then. A repetition
 * is harmless. Rejects when the store or a moderator fails, and when the signal aborts.
 */
export async function moderateAndStore(
  attempt: Attempt,
  moderation: Moderation,
  store: ModeratedStore,
): Promise<JobResult> {
  const { batch, trace, signal } = attempt
  const { vehicles, result } = await step(trace, 'moderate', () => moderated(attempt, moderation, store))
  // Nobody needs the items any more. While the server writes the batch, each collection of garbage would copy them.
  batch.items = []
  signal.throwIfAborted()
  await step(trace, 'store vehicles', () => store.vehicles.storeAll(vehicles, signal))
  return result
}

async function moderated(
  attempt: Attempt,
  moderation: Moderation,
  store: ModeratedStore,
): Promise<{ vehicles: WrittenVehicle[]; result: JobResult }> {
  const checked = await moderate(attempt, moderation, store)
  const accepted = checked.filter(({ isRejected }) => !isRejected)
  return {
    vehicles: accepted.map((each) => written(fieldsOf(attempt, each), each.json ?? JSON.stringify(each.item))),
    result: toResult(attempt, checked),
  }
}

async function moderate(attempt: Attempt, moderation: Moderation, store: ModeratedStore): Promise<Checked[]> {
  const passed = await checkContents(attempt, moderation)
  const { batch, place, signal } = attempt
  const isJudged = ({ isRejected, item }: Checked) => !isRejected && picturesOf(item).length > 0
  if (batch.moderate_images === false || !passed.some(isJudged)) return passed
  // A batch that waits for pictures is counted by its bytes, so its items are not kept a second time.
  for (const each of passed) delete each.json
  if (place && !place.leave(place.bytes)) throw new NoRoomToWait('the client has many batches that wait for pictures')
  const judge = (each: Checked) =>
    isJudged(each) ? moderateImages({ ...attempt, store }, moderation.images, each) : Promise.resolve(each)
  const judged = await orAborted(signal, begunInTurn(passed, judge))
  if (place) await orAborted(signal, place.comeBack())
  return judged
}

/** The work on each item, begun one after another, because the pictures of all would be queued as one; then all results. */
async function begunInTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: Promise<R>[] = []
  for (const item of items) {
    const result = work(item)
    // It may reject before the last item has begun; whoever awaits all of them learns of it.
    result.catch(() => undefined)
    results.push(result)
    await letOthersRun()
  }
  return Promise.all(results)
}

/** The promise, abandoned when the signal aborts, however long its work takes to notice. */
async function orAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

async function checkContents(attempt: Attempt, moderation: Moderation): Promise<Checked[]> {
  const checked: Checked[] = []
  for (const [index, item] of attempt.batch.items.entries()) {
    attempt.signal.throwIfAborted()
    checked.push(checkContent(attempt, moderation, { item, index }))
    await letOthersRun()
  }
  return checked
}

function checkContent(
  attempt: Attempt,
  { content }: Moderation,
  { item, index }: { item: Item; index: number },
): Checked {
  const json = JSON.stringify(item)
  const faults = attempt.batch.moderate_content === false ? [] : content.check(item, attempt.allowedWords, json)
  const told = (isFlag: boolean) =>
    faults
      .filter((fault) => (fault.isFlag ?? false) === isFlag)
      .map(({ path, code, message }) => ({
        job_item_id: jobItemId(attempt.jobId, index),
        index,
        path: `/items/${index}${path}`,
        code,
        message,
      }))
  const errors = told(false)
  return { item, json, index, errors, flags: told(true), isRejected: errors.length > 0 }
}

function fieldsOf(
  { jobId, clientId, sequence, run, batch }: Attempt,
  { item, index, leftOut }: Checked,
): Omit<VehicleRecord, 'item'> {
  const order: VehicleOrder = { sequence, index, run }
  return {
    client_id: clientId,
    source_id: item.vehicle.source_id,
    source_name: batch.source_name,
    job_id: jobId,
    order,
    stored_at: new Date().toISOString(),
    ...(batch.moderate_images === false && { pictures_unjudged: true }),
    ...(leftOut && { assets_left_out: leftOut }),
  }
}

/** The verdicts on the pictures of an item. Those of an item that is rejected for its text are not fetched and not kept. */
function picturesJudged({ jobId }: Attempt, { item, index, images, isRejected }: Checked): ImageModeration[] {
  if (images) return [images]
  const rejected = isRejected ? picturesOf(item).map(({ src }) => ({ src })) : []
  return rejected.length > 0 ? [{ job_item_id: jobItemId(jobId, index), index, accepted: [], rejected }] : []
}

function toResult(attempt: Attempt, checked: readonly Checked[]): JobResult {
  const rejected = checked.filter(({ isRejected }) => isRejected).length
  const flags = checked.flatMap((each) => each.flags)
  return {
    counts: { accepted: checked.length - rejected, rejected },
    errors: checked.flatMap(({ errors }) => errors),
    ...(flags.length > 0 && { flags }),
    ...(attempt.batch.moderate_images !== false && {
      image_moderation: checked.flatMap((each) => picturesJudged(attempt, each)),
    }),
  }
}
