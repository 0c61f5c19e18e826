import type { JetStreamClient } from '@nats-io/jetstream'
import { isFull } from '#runtime/nats/jetstream-error.ts'
import type { Asset } from './batch.ts'
import { parseExactly } from './exact-json.ts'
import { latePicturesSubject } from './storage.ts'
import type { VehicleName } from './vehicles.ts'

/** An asset, or the address of a logo, that a vehicle was stored without because its source was away. */
export type LatePicture = { position: number; asset: Asset } | { logo: string }

/** The late pictures of one vehicle, as one attempt at one upload found them. */
export interface LateVehicle extends VehicleName {
  job_id: string
  pictures: readonly LatePicture[]
}

/** The pictures that are tried again. */
export interface LatePictures {
  /** Stores the late pictures of a vehicle; false when its client, or all clients, have as many as there is room for. */
  keep(late: LateVehicle): Promise<boolean>
}

/** Most bytes of the late pictures of one vehicle: 100 pictures with usual addresses take a quarter. */
const MOST_BYTES = 64 * 1024

export function latePictures(client: JetStreamClient): LatePictures {
  return {
    keep: async (late) => {
      const text = JSON.stringify(late)
      if (Buffer.byteLength(text) > MOST_BYTES) return false
      try {
        await client.publish(latePicturesSubject(late.client_id), text)
        return true
      } catch (error) {
        if (isFull(error)) return false
        throw error
      }
    },
  }
}

/** Undefined when the text is not the late pictures of a vehicle. */
export function readLateVehicle(text: string): LateVehicle | undefined {
  try {
    return parseExactly<LateVehicle>(text)
  } catch {
    return undefined
  }
}
