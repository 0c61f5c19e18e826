import type { Item } from '#inventory/batch.ts'
import type { JobResult } from '#inventory/job.ts'
import { parseExactly } from '#inventory/exact-json.ts'
import type { InventoryStore } from '#inventory/store.ts'
import { written, type VehicleOrder, type VehicleRecord, type WrittenVehicle } from '#inventory/vehicles.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import { step, type Trace } from '#runtime/tracing/trace.ts'
import type { ImageModerator, Moderation } from '../moderation/types.ts'
import { letOthersRun } from '../moderation/let-others-run.ts'
import type { Place } from './client-turns.ts'
import { bytesBesideText, checkContents, type Checked, type CheckedAttempt } from './check-contents.ts'
import { judgePictures, moderatedItem, STORED_AT_ONCE, type BatchTurns, type ImageOwner } from './moderate-images.ts'
import { picturesBefore, type JudgedPictures, type LateAssets } from './pictures-away.ts'

/** One attempt at a batch. */
export interface Attempt extends CheckedAttempt {
  /** Sequence of the batch, which decides which upload is later. */
  sequence: number
  run: number
  /** Undefined: nothing is traced. */
  trace?: Trace | undefined
  turns: BatchTurns
  /** Freed while pictures load, with the bytes of the batch; undefined: the batch keeps its place. */
  place?: Pick<Place, 'leave' | 'comeBack'> & { bytes: number }
}

const NO_ROOM = 'the client has many batches that wait for pictures'

/** The client has its share of batches that wait for pictures: this batch is tried again when some of them are done. */
export class NoRoomToWait extends Error {
  override name = 'NoRoomToWait'
}

/** Where the vehicles of a batch go, and their late pictures. */
export type ModeratedStore = Pick<InventoryStore, 'vehicles' | 'latePictures'>

/** An item with the verdicts on its pictures; what the job and the vehicle have of them is made of its text once the batch goes on. */
type Judged = Checked & { judged?: JudgedPictures }

/** An item as its job and its vehicle have it. */
type Finished = Checked & { late?: LateAssets }

interface Moderated {
  vehicles: WrittenVehicle[]
  /** Those that keep assets of what is stored, which is read when they are stored: together it can be very much longer than the batch. */
  keeping: Judged[]
  result: JobResult
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
  const checked = await step(trace, 'moderate', () => moderate(attempt, moderation, store))
  signal.throwIfAborted()
  const { vehicles, keeping, result } = await finish(attempt, checked)
  await step(trace, 'store vehicles', async () => {
    await storeKeeping(attempt, keeping, store)
    await store.vehicles.storeAll(vehicles, signal)
  })
  return result
}

async function moderate(attempt: Attempt, moderation: Moderation, store: ModeratedStore): Promise<Judged[]> {
  const { place, signal, turns } = attempt
  const passed = await checkContents(attempt, moderation.content)
  if (passed.every(({ pictures }) => pictures === 0)) return passed
  const beside = passed.reduce((sum, each) => sum + bytesBesideText(each), 0)
  if (place && !place.leave(place.bytes + beside)) throw new NoRoomToWait(NO_ROOM)
  // What is left of a failed attempt would stand in the way of the next one.
  const failed = new AbortController()
  const owner = { ...attempt, store, signal: AbortSignal.any([signal, failed.signal]) }
  const judge = (each: Checked) =>
    each.pictures === 0
      ? each
      : turns.items.take(attempt.clientId, owner.signal, () => withVerdicts(owner, moderation.images, each))
  const judged = await orAborted(signal, Promise.all(passed.map(judge))).catch((error: unknown) => {
    failed.abort(error)
    throw error
  })
  if (place) await orAborted(signal, place.comeBack())
  return judged
}

async function withVerdicts(owner: ImageOwner, moderator: ImageModerator, checked: Checked): Promise<Judged> {
  await letOthersRun()
  return { ...checked, judged: await judgePictures(owner, moderator, checked) }
}

async function finish(attempt: Attempt, checked: readonly Judged[]): Promise<Moderated> {
  const finished: Finished[] = []
  for (const each of checked) {
    finished.push(asJudged(attempt, each))
    if (each.judged) await letOthersRun()
  }
  // Of a vehicle that is twice in the batch, the later one.
  const latest = new Map(finished.filter(({ isRejected }) => !isRejected).map((each) => [each.sourceId, each]))
  const isKeeping = ({ index }: Checked) => checked[index]?.judged?.hasVersions === true
  const accepted = [...latest.values()]
  return {
    vehicles: accepted.filter((each) => !isKeeping(each)).map((each) => written(fieldsOf(attempt, each), each.json)),
    keeping: accepted.filter(isKeeping).map(({ index }) => checked[index]!),
    result: toResult(attempt, finished),
  }
}

/** `stored`: what the vehicle is stored with, of which it may keep assets. */
function asJudged({ jobId }: Attempt, { judged, ...checked }: Judged, stored?: Item): Finished {
  if (!judged) return checked
  const item = parseExactly<Item>(checked.json)
  const moderated = moderatedItem(jobId, { item, index: checked.index, judged, stored })
  const { images, errors, late } = moderated
  const json = moderated.item === item ? checked.json : JSON.stringify(moderated.item)
  return { ...checked, json, images, errors: [...checked.errors, ...errors], ...(late && { late }) }
}

async function storeKeeping(attempt: Attempt, keeping: readonly Judged[], { vehicles }: ModeratedStore): Promise<void> {
  const { clientId, signal, turns } = attempt
  await inParallel(STORED_AT_ONCE, keeping, (each) =>
    turns.stored.take(clientId, signal, async () => {
      const name = { client_id: clientId, source_id: each.sourceId, order: orderOf(attempt, each) }
      await vehicles.storeOver(name, (record) => {
        const finished = asJudged(attempt, each, picturesBefore(record))
        return written(fieldsOf(attempt, finished), finished.json).text
      })
    }),
  )
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

const orderOf = ({ sequence, run }: Attempt, { index }: Pick<Checked, 'index'>): VehicleOrder => ({
  ...{ sequence, index, run },
})

function fieldsOf(attempt: Attempt, { sourceId, index, late }: Finished): Omit<VehicleRecord, 'item'> {
  const { jobId, clientId, batch } = attempt
  return {
    client_id: clientId,
    source_id: sourceId,
    source_name: batch.source_name,
    job_id: jobId,
    order: orderOf(attempt, { index }),
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
