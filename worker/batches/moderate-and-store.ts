import type { Batch, Item } from '#inventory/batch.ts'
import { jobItemId, type ImageModeration, type JobError, type JobResult } from '#inventory/job.ts'
import { parseExactly } from '#inventory/exact-json.ts'
import { picturesOf } from '#inventory/pictures.ts'
import type { InventoryStore } from '#inventory/store.ts'
import { written, type VehicleOrder, type VehicleRecord, type WrittenVehicle } from '#inventory/vehicles.ts'
import { step, type Trace } from '#runtime/tracing/trace.ts'
import type { ImageModerator, Moderation } from '../moderation/types.ts'
import type { Turns } from '../moderation/images/turns.ts'
import { letOthersRun } from '../moderation/let-others-run.ts'
import type { Place } from './client-turns.ts'
import { moderateImages, type ImageOwner } from './moderate-images.ts'
import type { LateAssets } from './pictures-away.ts'

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
  /** The items whose pictures are judged at once, in turns of clients. */
  turns: Turns
  /** Freed while pictures load, with the bytes of the batch; undefined: the batch keeps its place. */
  place?: Pick<Place, 'leave' | 'comeBack'> & { bytes: number }
}

const NO_ROOM = 'the client has many batches that wait for pictures'

/** A picture of a batch that waits counts as so many more bytes of its text, for the verdict. */
const BYTES_OF_PICTURE = 64

/** The client has its share of batches that wait for pictures: this batch is tried again when some of them are done. */
export class NoRoomToWait extends Error {
  override name = 'NoRoomToWait'
}

/** Where the vehicles of a batch go, and their late pictures. */
export type ModeratedStore = Pick<InventoryStore, 'vehicles' | 'latePictures'>

/**
 * An item that was checked, as JSON, which is also a part of its record: as objects, the items of a batch that waits for pictures
 * would take several times as much memory.
 */
interface Checked {
  sourceId: string
  json: string
  index: number
  /** How many of its pictures are to be judged. */
  pictures: number
  images?: ImageModeration
  late?: LateAssets
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
  const { trace, signal } = attempt
  const { vehicles, result } = await step(trace, 'moderate', () => moderated(attempt, moderation, store))
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
    vehicles: accepted.map((each) => written(fieldsOf(attempt, each), each.json)),
    result: toResult(attempt, checked),
  }
}

async function moderate(attempt: Attempt, moderation: Moderation, store: ModeratedStore): Promise<Checked[]> {
  const { batch, place, signal, turns } = attempt
  const passed = await checkContents(attempt, moderation)
  // Nobody needs the items any more. While pictures load, they would fill the memory, and each collection of garbage would copy them.
  batch.items = []
  const pictures = passed.reduce((total, each) => total + each.pictures, 0)
  if (pictures === 0) return passed
  if (place && !place.leave(place.bytes + pictures * BYTES_OF_PICTURE)) throw new NoRoomToWait(NO_ROOM)
  // What is left of a failed attempt would stand in the way of the next one.
  const failed = new AbortController()
  const owner = { ...attempt, store, signal: AbortSignal.any([signal, failed.signal]) }
  const judge = (each: Checked) =>
    each.pictures === 0
      ? each
      : turns.take(attempt.clientId, owner.signal, () => withJudgedPictures(owner, moderation.images, each))
  const judged = await orAborted(signal, Promise.all(passed.map(judge))).catch((error: unknown) => {
    failed.abort(error)
    throw error
  })
  if (place) await orAborted(signal, place.comeBack())
  return judged
}

async function withJudgedPictures(owner: ImageOwner, moderator: ImageModerator, checked: Checked): Promise<Checked> {
  await letOthersRun()
  const item = parseExactly<Item>(checked.json)
  const moderated = await moderateImages(owner, moderator, { item, index: checked.index })
  const { images, errors, late } = moderated
  const json = moderated.item === item ? checked.json : JSON.stringify(moderated.item)
  return { ...checked, json, images, errors: [...checked.errors, ...errors], ...(late && { late }) }
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
  const [errors, flags] = [told(false), told(true)]
  const checked = { sourceId: item.vehicle.source_id, json, index, errors, flags, isRejected: errors.length > 0 }
  const pictures = attempt.batch.moderate_images === false ? [] : picturesOf(item)
  if (!checked.isRejected || pictures.length === 0) return { ...checked, pictures: pictures.length }
  // They are not fetched and not kept.
  const rejected = pictures.map(({ src }) => ({ src }))
  const images = { job_item_id: jobItemId(attempt.jobId, index), index, accepted: [], rejected }
  return { ...checked, pictures: 0, images }
}

function fieldsOf(
  { jobId, clientId, sequence, run, batch }: Attempt,
  { sourceId, index, late }: Checked,
): Omit<VehicleRecord, 'item'> {
  const order: VehicleOrder = { sequence, index, run }
  return {
    client_id: clientId,
    source_id: sourceId,
    source_name: batch.source_name,
    job_id: jobId,
    order,
    stored_at: new Date().toISOString(),
    ...(batch.moderate_images === false && { pictures_unjudged: true }),
    ...late,
  }
}

function toResult(attempt: Attempt, checked: readonly Checked[]): JobResult {
  const rejected = checked.filter(({ isRejected }) => isRejected).length
  const flags = checked.flatMap((each) => each.flags)
  return {
    counts: { accepted: checked.length - rejected, rejected },
    errors: checked.flatMap(({ errors }) => errors),
    ...(flags.length > 0 && { flags }),
    ...(attempt.batch.moderate_images !== false && {
      image_moderation: checked.flatMap(({ images }) => images ?? []),
    }),
  }
}
