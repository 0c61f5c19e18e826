import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { Logger } from '#runtime/log.ts'
import { isForbidden, isFull } from '#runtime/nats/jetstream-error.ts'
import type { LateVehicle } from './late-vehicle.ts'
import { OutdatedLatePictures, type LateStores } from './outdated-late-pictures.ts'
import { latePicturesSubject } from './storage.ts'

/** The pictures that are tried again. */
export interface LatePictures {
  /**
   * Stores the late pictures of a vehicle; false when its client, or all clients, have as many as there is room for. Those that no
   * vehicle of the client waits for any more give way. Rejects where the server fails: whether there is room is not known then.
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
  const isKept = async (late: LateVehicle, text: string): Promise<boolean> => {
    try {
      const { seq } = await client.publish(latePicturesSubject(late.client_id), text)
      outdated.stored(late, seq)
      return true
    } catch (error) {
      if (isFull(error)) return false
      throw error
    }
  }
  /** The login of an earlier version may not look: its pictures are refused, as without room. */
  const isAllowed = async (work: Promise<void>): Promise<boolean> => {
    try {
      await work
      return true
    } catch (error) {
      if (!isForbidden(error)) throw error
      log?.warn({ err: error }, 'this login may not make room for late pictures')
      return false
    }
  }
  return {
    keep: async (late) => {
      const text = JSON.stringify(late)
      if (Buffer.byteLength(text) > MOST_BYTES) return false
      await isAllowed(outdated.makeRoomOfOne(late))
      if (await isKept(late, text)) return true
      return (await isAllowed(outdated.makeRoom(late))) && (await isKept(late, text))
    },
  }
}
