import { isForbidden } from '#runtime/nats/jetstream-error.ts'
import type { LateMessages, LatePlace } from './late-messages.ts'
import type { LateName } from './late-vehicle.ts'
import { compareOrder } from './vehicle-record.ts'
import type { Vehicles } from './vehicles.ts'

/** Most uploads of vehicles whose messages are remembered. */
const MOST_UPLOADS = 10_000
/** Most messages of one of them: others may have removed some. */
const MOST_OF_ONE = 4

/** All attempts at one upload of a vehicle have this in common. */
const uploadOf = ({ client_id, source_id, order }: LateName): string =>
  JSON.stringify([client_id, source_id, order.sequence, order.index])

const isEarlier = (one: LateName, other: LateName): boolean =>
  uploadOf(one) === uploadOf(other) && one.order.run < other.order.run

/** Those of which a further attempt at the same upload has stored its own. */
export function earlierAttempts(places: readonly LatePlace[]): Set<LatePlace> {
  const latest = new Map<string, number>()
  for (const { late } of places) {
    const upload = uploadOf(late)
    latest.set(upload, Math.max(late.order.run, latest.get(upload) ?? 0))
  }
  return new Set(places.filter(({ late }) => late.order.run < latest.get(uploadOf(late))!))
}

/**
 * The late pictures that this process stored, by upload. A batch that finds no room is attempted again and again, and each attempt
 * stores late pictures: those of the attempts before would fill the stream.
 */
export class LateAttempts {
  readonly #messages: Pick<LateMessages, 'has' | 'remove'>
  readonly #vehicles: Pick<Vehicles, 'read'>
  /** The uploads of the latest messages are the last. */
  readonly #stored = new Map<string, readonly LatePlace[]>()
  #mayRemove = true

  constructor(messages: Pick<LateMessages, 'has' | 'remove'>, vehicles: Pick<Vehicles, 'read'>) {
    this.#messages = messages
    this.#vehicles = vehicles
  }

  /** What earlier attempts have in the stream, as far as it is known, and is of no use once this one has stored its own. */
  async before(late: LateName, known: readonly LatePlace[]): Promise<LatePlace[]> {
    if (!this.#mayRemove) return []
    const places = new Map(
      [...known, ...(this.#stored.get(uploadOf(late)) ?? [])].map((place) => [place.sequence, place]),
    )
    const earlier = [...places.values()].filter((place) => isEarlier(place.late, late))
    if (earlier.length === 0) return []
    const vehicle = await this.#vehicles.read(late.client_id, late.source_id)
    // An attempt that failed later can have stored this vehicle: it waits for its pictures until a further one stores it.
    const rest = earlier.filter((place) => !vehicle || compareOrder(vehicle.order, place.late.order) !== 0)
    const areThere = await Promise.all(rest.map(({ sequence }) => this.#unlessForbidden(this.#messages.has(sequence))))
    return rest.filter((_, n) => areThere[n])
  }

  stored(place: LatePlace): void {
    const upload = uploadOf(place.late)
    const places = [...(this.#stored.get(upload) ?? []), place].slice(-MOST_OF_ONE)
    this.#stored.delete(upload)
    this.#stored.set(upload, places)
    if (this.#stored.size > MOST_UPLOADS) this.#stored.delete(this.#stored.keys().next().value!)
  }

  async remove(place: LatePlace): Promise<void> {
    await this.#unlessForbidden(this.#messages.remove(place.sequence))
    const upload = uploadOf(place.late)
    const rest = this.#stored.get(upload)?.filter(({ sequence }) => sequence !== place.sequence)
    if (rest) this.#stored.set(upload, rest)
  }

  /** A login that has no right to do so does not try it for each picture. */
  #unlessForbidden<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      if (isForbidden(error)) this.#mayRemove = false
      throw error
    })
  }
}
