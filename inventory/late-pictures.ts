import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { Logger } from '#runtime/log.ts'
import { isForbidden, isFull } from '#runtime/nats/jetstream-error.ts'
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

export function latePictures({ client, manager, log, ...stores }: KeepingServices): LatePictures {
  const outdated = new OutdatedLatePictures(manager, stores)
  const isKept = async (subject: string, late: LateVehicle, text: string): Promise<boolean> => {
    try {
      const { seq } = await client.publish(subject, text)
      outdated.stored(late, seq)
      return true
    } catch (error) {
      if (isFull(error)) return false
      throw error
    }
  }
  /** The login of an earlier version may not look: its pictures are refused, as without room. */
  const unlessForbidden = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work
    } catch (error) {
      if (!isForbidden(error)) throw error
      log?.warn({ err: error }, 'this login may not make room for late pictures')
      return undefined
    }
  }
  const attempt = async (late: LateVehicle, text: string): Promise<boolean> => {
    const [first, again] = [latePicturesSubject(late.client_id), lateAgainSubject(late.client_id)]
    await unlessForbidden(outdated.makeRoomOfOne(late))
    if (!(await outdated.isInUse(again)) && (await isKept(first, late, text))) return true
    if (!(await unlessForbidden(outdated.makeRoom(late)))) return false
    return (await isKept(first, late, text)) || isKept(again, late, text)
  }
  return {
    keep: async (late) => {
      const text = JSON.stringify(late)
      return Buffer.byteLength(text) <= MOST_BYTES && attempt(late, text).finally(() => outdated.ended(late))
    },
  }
}
