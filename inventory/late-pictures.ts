import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import { isFull } from '#runtime/nats/jetstream-error.ts'
import type { LateVehicle } from './late-vehicle.ts'
import { OutdatedLatePictures, type LateStores } from './outdated-late-pictures.ts'
import { latePicturesSubject } from './storage.ts'

/** The pictures that are tried again. */
export interface LatePictures {
  /**
   * Stores the late pictures of a vehicle; false when its client, or all clients, have as many as there is room for. Those that no
   * vehicle of the client waits for any more give way.
   */
  keep(late: LateVehicle): Promise<boolean>
}

/** Most bytes of the late pictures of one vehicle: 100 pictures with usual addresses take a quarter. */
const MOST_BYTES = 64 * 1024

export function latePictures(client: JetStreamClient, manager: JetStreamManager, stores: LateStores): LatePictures {
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
  return {
    keep: async (late) => {
      const text = JSON.stringify(late)
      if (Buffer.byteLength(text) > MOST_BYTES) return false
      await isDone(outdated.makeRoomOfOne(late))
      if (await isKept(late, text)) return true
      return (await isDone(outdated.makeRoom(late))) && (await isKept(late, text))
    },
  }
}

/** The login of an earlier version may not look: its pictures are refused, as without room. */
const isDone = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
