import type { Asset } from './batch.ts'
import { parseExactly } from './exact-json.ts'
import type { Place } from './place.ts'
import { isAsset, isListOf, isName, isNumber, isObject, isOrder, isPlace, isText } from './stored-shapes.ts'
import { readAs } from './unreadable.ts'
import type { VehicleName } from './vehicles.ts'

/** A field of the sender's own, or an entry of a list, with the addresses of the pictures in it. */
export interface LateField {
  place: Place
  value: unknown
  sources: readonly string[]
}

/** An asset, the address of a logo, or a field, that a vehicle was stored without because its source was away. */
export type LatePicture = { position: number; asset: Asset } | { logo: string } | LateField

/** The late pictures of one vehicle, as one attempt at one upload found them. */
export interface LateVehicle extends VehicleName {
  job_id: string
  pictures: readonly LatePicture[]
}

/** Late pictures without the pictures. */
export type LateName = Pick<LateVehicle, 'client_id' | 'source_id' | 'job_id' | 'order'>

/** Undefined when the text is not the late pictures of a vehicle. */
export const readLateVehicle = (text: string): LateVehicle | undefined => readAs(text, parseExactly, isLateVehicle)

function isLateVehicle(value: unknown): value is LateVehicle {
  if (!isObject(value) || !isOrder(value['order'])) return false
  const names = [value['client_id'], value['source_id'], value['job_id']]
  return names.every(isName) && isListOf(value['pictures'], isLatePicture)
}

function isLatePicture(value: unknown): value is LatePicture {
  if (!isObject(value)) return false
  if ('asset' in value) return isNumber(value['position']) && isAsset(value['asset'])
  return isText(value['logo']) || (isPlace(value['place']) && isListOf(value['sources'], isText))
}
