import type { JetStreamManager } from '@nats-io/jetstream'
import { inParallel } from '#runtime/in-parallel.ts'
import { isForbidden } from '#runtime/nats/jetstream-error.ts'
import type { Jobs } from './jobs.ts'
import { earlierAttempts } from './late-attempts.ts'
import { LateMessages, type LatePlace } from './late-messages.ts'
import type { LateName, LateVehicle } from './late-vehicle.ts'
import { MOST_LATE_OF_ONE } from './storage.ts'
import { compareOrder, type VehicleRecord } from './vehicle-record.ts'
import type { Vehicles } from './vehicles.ts'

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
  late: LateName,
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

/** What is left of a client's late pictures since they were looked through. */
interface Left {
  at: number
  removed: number
  /** Whether all of them were looked at: a login that may not look finds none. */
  isWhole: boolean
  /**
   * By `source_id`, then by the sequence of the message. All of a vehicle, not only the newest: batches of one vehicle run at once, and
   * which of them is stored shows later.
   */
  places: Map<string, Map<number, LatePlace>>
  /** How many of them were reserved before their pictures were stored. */
  reserved: number
}

/** Milliseconds between two looks at a client whose late pictures were nearly all of vehicles that wait for them. */
const LOOK_AGAIN_MS = 60_000
/** So many removed make another look worth its time at once. */
const WORTH_IT = MOST_LATE_OF_ONE / 10
const READS_AT_ONCE = 16

/**
 * Removes late pictures that no vehicle waits for. The server counts messages, not vehicles, so a client can be full of those that
 * later uploads have replaced. A later upload replaces nothing until it is stored: an attempt can fail for good.
 */
export class OutdatedLatePictures {
  readonly #messages: LateMessages
  readonly #stores: LateStores
  readonly #clock: () => number
  readonly #looking = new Map<string, Promise<Left>>()
  readonly #left = new Map<string, Left>()

  constructor(manager: JetStreamManager, stores: LateStores, clock = Date.now) {
    this.#messages = new LateMessages(manager)
    this.#stores = stores
    this.#clock = clock
  }

  /** Removes what is outdated of a full client; whether this vehicle is among those that it has room for. */
  async makeRoom(late: LateVehicle): Promise<boolean> {
    const left = await this.#recentLook(late.client_id)
    await this.makeRoomOfOne(late)
    return left.places.has(late.source_id) || this.#reserve(late, left)
  }

  /** Removes what is outdated of a client, unless that was done a moment ago, so that its bytes are known. */
  async look(clientId: string): Promise<void> {
    await this.#recentLook(clientId)
  }

  /** Bytes of a client's messages: of the last look and since. Those that other workers stored since count as the average one. */
  async bytesOf(clientId: string, averageBytes: number): Promise<number> {
    const places = [...(this.#left.get(clientId)?.places.values() ?? [])].flatMap((each) => [...each.values()])
    const bytes = places.reduce((sum, place) => sum + place.bytes, 0)
    const ofOthers = (await this.#messages.countOf(clientId)) - places.length
    if (ofOthers <= 0) return bytes
    return bytes + ofOthers * Math.max(averageBytes, bytes / (places.length || 1))
  }

  /** Removes what is outdated of this vehicle, if its client was full a moment ago: it needs no other vehicle's room. */
  async makeRoomOfOne(late: LateVehicle): Promise<void> {
    await this.#looking.get(late.client_id)
    const places = this.#left.get(late.client_id)?.isWhole ? this.placesOf(late) : []
    const earlier = earlierAttempts(places)
    for (const place of places) {
      // Judged pictures leave the stream while their vehicle stays.
      const isThere = await this.#messages.has(place.sequence)
      if (isThere && (await this.#isOfUse(place, earlier))) continue
      if (isThere) await this.#messages.remove(place.sequence)
      this.removed(place)
    }
  }

  /** Takes notice of late pictures that were stored since. */
  stored(place: LatePlace): void {
    const clientId = place.late.client_id
    const left = this.#left.get(clientId)
    if (!left) return
    if (this.#isOld(left)) this.#left.delete(clientId)
    else add(left, place)
  }

  /** Known messages of a vehicle. */
  placesOf({ client_id: clientId, source_id: sourceId }: LateName): LatePlace[] {
    return [...(this.#left.get(clientId)?.places.get(sourceId)?.values() ?? [])]
  }

  /** Takes notice of a message that was removed. */
  removed({ sequence, late: { client_id: clientId, source_id: sourceId } }: LatePlace): void {
    const places = this.#left.get(clientId)?.places
    const ofVehicle = places?.get(sourceId)
    if (ofVehicle?.delete(sequence) && ofVehicle.size === 0) places?.delete(sourceId)
  }

  /** Takes notice of the end of an attempt to store late pictures: a place that it reserved and did not use is free. */
  ended({ client_id: clientId, source_id: sourceId }: LateVehicle): void {
    const places = this.#left.get(clientId)?.places
    if (places?.get(sourceId)?.size === 0) places.delete(sourceId)
  }

  /** Whether there is a place for one more vehicle. It has it before its pictures are stored: others may be on their way. */
  async #reserve({ client_id, source_id }: LateVehicle, left: Left): Promise<boolean> {
    const { places, isWhole } = left
    if (!isWhole || places.size >= MOST_LATE_OF_ONE) {
      const onTheirWay = [...places.values()].filter(({ size }) => size === 0).length
      const before = left.reserved
      // Vehicles that were judged since the look are still among its places: each that waits has a message.
      const stored = await this.#messages.countOf(client_id)
      // The count may miss those that were on their way before it, and those that came while it was.
      if (stored + onTheirWay + left.reserved - before >= MOST_LATE_OF_ONE) return false
    }
    left.reserved += 1
    places.set(source_id, places.get(source_id) ?? new Map())
    return true
  }

  async #recentLook(clientId: string): Promise<Left> {
    const looking = this.#looking.get(clientId)
    if (looking) return looking
    const left = this.#left.get(clientId)
    if (left && left.removed < WORTH_IT && !this.#isOld(left)) return left
    const look = this.#look(clientId)
      .catch((error: unknown) => {
        // A look that the server failed says nothing: the next attempt looks anew.
        if (!isForbidden(error)) this.#left.delete(clientId)
        throw error
      })
      .finally(() => void this.#looking.delete(clientId))
    this.#looking.set(clientId, look)
    return look
  }

  async #look(clientId: string): Promise<Left> {
    const left: Left = { at: this.#clock(), removed: 0, isWhole: false, places: new Map(), reserved: 0 }
    // Before it looks: where it may not, it does not try at each picture.
    this.#left.set(clientId, left)
    const found = await this.#messages.of(clientId)
    const earlier = earlierAttempts(found)
    await inParallel(READS_AT_ONCE, found, async (place) => {
      if (await this.#isOfUse(place, earlier)) return add(left, place)
      await this.#messages.remove(place.sequence)
      left.removed += 1
    })
    left.isWhole = true
    return left
  }

  /** Whether a vehicle has late pictures, or will have them; `earlier` are those of which a further attempt has stored its own. */
  async #isOfUse(place: LatePlace, earlier: ReadonlySet<unknown>): Promise<boolean> {
    const vehicle = await vehicleOf(place.late, this.#stores)
    return vehicle === 'not stored yet' ? !earlier.has(place) : vehicle !== 'superseded'
  }

  #isOld({ at }: Left): boolean {
    return this.#clock() - at >= LOOK_AGAIN_MS
  }
}

function add({ places }: Left, place: LatePlace): void {
  const ofVehicle = places.get(place.late.source_id) ?? new Map<number, LatePlace>()
  places.set(place.late.source_id, ofVehicle.set(place.sequence, place))
}
