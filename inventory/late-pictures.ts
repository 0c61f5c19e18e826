import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { Logger } from '#runtime/log.ts'
import { isForbidden, isFull } from '#runtime/nats/jetstream-error.ts'
import { LateAttempts } from './late-attempts.ts'
import { bytesOfMessage, LateMessages, latePlace, type LateFill, type LatePlace } from './late-messages.ts'
import { LateShare } from './late-share.ts'
import type { LateVehicle } from './late-vehicle.ts'
import { OutdatedLatePictures, type LateStores } from './outdated-late-pictures.ts'
import { lateAgainSubject, latePicturesSubject } from './storage.ts'

/** The pictures that are tried again. */
export interface LatePictures {
  /**
   * Stores the late pictures of a vehicle; false when its client, or all clients, have as many as there is room for. Those that no
   * vehicle of the client waits for any more give way, and a vehicle that is late already counts once. Rejects where the server
   * fails: whether there is room is not known then.
   */
  keep(late: LateVehicle): Promise<boolean>
}

/** Most bytes of the late pictures of one vehicle: 100 pictures with usual addresses take a quarter. */
const MOST_BYTES = 64 * 1024

export interface KeepingServices extends LateStores {
  client: JetStreamClient
  manager: JetStreamManager
  log?: Logger | undefined
}

export function latePictures(services: KeepingServices): LatePictures {
  const keeping = new Keeping(services)
  return { keep: (late) => keeping.keep(late) }
}

class Keeping implements LatePictures {
  readonly #client: JetStreamClient
  readonly #log: Logger | undefined
  readonly #outdated: OutdatedLatePictures
  readonly #attempts: LateAttempts
  readonly #share: LateShare

  constructor({ client, manager, log, ...stores }: KeepingServices) {
    const outdated = new OutdatedLatePictures(manager, stores)
    this.#client = client
    this.#log = log
    this.#outdated = outdated
    const messages = new LateMessages(manager)
    this.#attempts = new LateAttempts(messages, stores.vehicles)
    this.#share = new LateShare(messages, {
      look: (clientId) => this.#unlessForbidden(outdated.look(clientId)),
      bytesOf: (clientId, averageBytes) => outdated.bytesOf(clientId, averageBytes),
    })
  }

  async keep(late: LateVehicle): Promise<boolean> {
    const text = JSON.stringify(late)
    if (Buffer.byteLength(text) > MOST_BYTES) return false
    const clientId = late.client_id
    const bytes = bytesOfMessage(lateAgainSubject(clientId), Buffer.byteLength(text))
    try {
      await this.#unlessForbidden(this.#outdated.makeRoomOfOne(late))
      const replaces = (await this.#earlier(late)).reduce((sum, place) => sum + place.bytes, 0)
      const store = async (fill: LateFill): Promise<boolean> => {
        if (!(await this.#store(late, text, fill))) return false
        // More of them are known now where the client was looked through.
        for (const place of await this.#earlier(late)) await this.#unlessForbidden(this.#remove(place))
        return true
      }
      return await this.#share.keep({ clientId, bytes, replaces, store })
    } finally {
      this.#outdated.ended(late)
    }
  }

  async #store(late: LateVehicle, text: string, { ofSubject }: LateFill): Promise<boolean> {
    const [first, again] = [latePicturesSubject(late.client_id), lateAgainSubject(late.client_id)]
    // While the second subject has messages, the server does not count the vehicles of the client.
    if (ofSubject === 0 && (await this.#isKept(first, late, text))) return true
    if (!(await this.#unlessForbidden(this.#outdated.makeRoom(late)))) return false
    return (await this.#isKept(first, late, text)) || this.#isKept(again, late, text)
  }

  async #isKept(subject: string, late: LateVehicle, text: string): Promise<boolean> {
    try {
      const { seq: sequence } = await this.#client.publish(subject, text)
      const place = latePlace(late, sequence, bytesOfMessage(subject, Buffer.byteLength(text)))
      this.#outdated.stored(place)
      this.#attempts.stored(place)
      return true
    } catch (error) {
      if (isFull(error)) return false
      throw error
    }
  }

  /** What earlier attempts at this upload of the vehicle stored. */
  async #earlier(late: LateVehicle): Promise<LatePlace[]> {
    return (await this.#unlessForbidden(this.#attempts.before(late, this.#outdated.placesOf(late)))) ?? []
  }

  async #remove(place: LatePlace): Promise<void> {
    await this.#attempts.remove(place)
    this.#outdated.removed(place)
  }

  /** The login of an earlier version may not look: its pictures are refused, as without room. */
  async #unlessForbidden<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work
    } catch (error) {
      if (!isForbidden(error)) throw error
      this.#log?.warn({ err: error }, 'this login may not make room for late pictures')
      return undefined
    }
  }
}
