import type { Asset } from './batch.ts'
import { parseExactly } from './exact-json.ts'
import type { VehicleName } from './vehicles.ts'

/** An asset, or the address of a logo, that a vehicle was stored without because its source was away. */
export type LatePicture = { position: number; asset: Asset } | { logo: string }

/** The late pictures of one vehicle, as one attempt at one upload found them. */
export interface LateVehicle extends VehicleName {
  job_id: string
  pictures: readonly LatePicture[]
}

/** Undefined when the text is not the late pictures of a vehicle. */
export function readLateVehicle(text: string): LateVehicle | undefined {
  try {
    return parseExactly<LateVehicle>(text)
  } catch {
    return undefined
  }
}
