import { JetStreamApiError, type JetStreamManager, type NextMsgRequest, type SeqMsgRequest } from '@nats-io/jetstream'
import { inParallel } from '#runtime/in-parallel.ts'
import type { Jobs } from './jobs.ts'
import { readLateVehicle, type LateVehicle } from './late-vehicle.ts'
import { LATE_PICTURES, latePicturesSubject, MOST_LATE_OF_ONE } from './storage.ts'
import { compareOrder, type VehicleRecord } from './vehicle-record.ts'
import type { VehicleName, Vehicles } from './vehicles.ts'

/** What says whether late pictures are still those of their vehicle. */
export interface LateStores {
  vehicles: Pick<Vehicles, 'read'>
  jobs: Pick<Jobs, 'read'>
}

/**
 * The vehicle as the late pictures belong to it; or that a later upload or attempt has stored it, or somebody has removed it; or
 * that the attempt has not stored it yet.
 */
export async function vehicleOf(
  late: LateVehicle,
  { vehicles, jobs }: LateStores,
): Promise<VehicleRecord | 'superseded' | 'not stored yet'> {
  const read = async () => {
    const stored = await vehicles.read(late.client_id, late.source_id)
    return { stored, age: stored ? compareOrder(stored.order, late.order) : -1 }
  }
  const first = await read()
  if (first.age >= 0) return first.stored && first.age === 0 ? first.stored : 'superseded'
  const job = await jobs.read(late.client_id, late.job_id)
  if (job?.record.status !== 'completed') return 'not stored yet'
  // A job is completed after its vehicles are stored, which may have been between the two reads.
  const second = await read()
  return second.stored && second.age === 0 ? second.stored : 'superseded'
}

/** Late pictures in the stream, by the sequence of their message. */
interface Place {
  sequence: number
  late: LateVehicle
}

/** What is left of a client's late pictures, by `source_id`, since they were looked through. */
interface Left {
  at: number
  removed: number
  places: Map<string, Pick<Place, 'sequence'> & Pick<VehicleName, 'order'>>
}

/** Milliseconds between two looks at a client whose late pictures were nearly all of vehicles that wait for them. */
const LOOK_AGAIN_MS = 60_000
/** So many removed make another look worth its time at once. */
const WORTH_IT = MOST_LATE_OF_ONE / 10
const READS_AT_ONCE = 16

/**
 * Removes late pictures that no vehicle waits for. The server counts messages, not vehicles, so a client can be full of those that
 * later uploads have replaced.
 */
export class OutdatedLatePictures {
  readonly #manager: JetStreamManager
  readonly #stores: LateStores
  readonly #clock: () => number
  readonly #looking = new Map<string, Promise<Left>>()
  readonly #left = new Map<string, Left>()

  constructor(manager: JetStreamManager, stores: LateStores, clock = Date.now) {
    this.#manager = manager
    this.#stores = stores
    this.#clock = clock
  }

  /** Removes what is outdated of a full client, and what these late pictures of a vehicle replace. */
  async makeRoom(late: LateVehicle): Promise<void> {
    await this.#recentLook(late.client_id)
    await this.replace(late)
  }

  /** Removes what these late pictures replace, if their client was full a moment ago: they need no other room. */
  async replace({ client_id: clientId, source_id: sourceId, order }: LateVehicle): Promise<void> {
    await this.#looking.get(clientId)
    const left = this.#left.get(clientId)
    if (!left) return
    if (this.#clock() - left.at >= LOOK_AGAIN_MS) this.#left.delete(clientId)
    const former = left.places.get(sourceId)
    if (!former || compareOrder(former.order, order) >= 0) return
    left.places.delete(sourceId)
    await this.#remove(former.sequence)
  }

  /** Takes notice of late pictures that were stored since. */
  stored({ client_id: clientId, source_id: sourceId, order }: LateVehicle, sequence: number): void {
    this.#left.get(clientId)?.places.set(sourceId, { sequence, order })
  }

  async #recentLook(clientId: string): Promise<Left> {
    const looking = this.#looking.get(clientId)
    if (looking) return looking
    const left = this.#left.get(clientId)
    if (left && left.removed < WORTH_IT && this.#clock() - left.at < LOOK_AGAIN_MS) return left
    const look = this.#look(clientId).finally(() => void this.#looking.delete(clientId))
    this.#looking.set(clientId, look)
    return look
  }

  async #look(clientId: string): Promise<Left> {
    const left: Left = { at: this.#clock(), removed: 0, places: new Map() }
    // Before it looks: where it may not, it does not try at each picture.
    this.#left.set(clientId, left)
    const found = await this.#placesOf(clientId)
    for (const { sequence, late } of found) {
      const other = left.places.get(late.source_id)
      if (!other || compareOrder(other.order, late.order) <= 0)
        left.places.set(late.source_id, { sequence, order: late.order })
    }
    await inParallel(READS_AT_ONCE, found, async ({ sequence, late }) => {
      const isNewest = left.places.get(late.source_id)?.sequence === sequence
      if (isNewest && (await vehicleOf(late, this.#stores)) !== 'superseded') return
      if (isNewest) left.places.delete(late.source_id)
      await this.#remove(sequence)
      left.removed += 1
    })
    return left
  }

  /** Message by message, because the stream is a work queue, which has one consumer. */
  async #placesOf(clientId: string): Promise<Place[]> {
    const places: Place[] = []
    const subject = latePicturesSubject(clientId)
    for (let next = 1; ;) {
      const query: SeqMsgRequest & NextMsgRequest = { seq: next, next_by_subj: subject }
      const message = await this.#manager.streams.getMessage(LATE_PICTURES, query)
      if (!message) return places
      next = message.seq + 1
      const late = readLateVehicle(message.string())
      if (late) places.push({ sequence: message.seq, late })
    }
  }

  async #remove(sequence: number): Promise<void> {
    // Another worker may have removed it, or judged its pictures.
    await this.#manager.streams.deleteMessage(LATE_PICTURES, sequence, false).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError)) throw error
    })
  }
}
