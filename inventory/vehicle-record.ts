import type { Item } from './batch.ts'
import { bytesAsJson } from './exact-json.ts'
import type { Place } from './place.ts'

/** Decides which of two uploads of a vehicle is later; compared in this order. */
export interface VehicleOrder {
  /** Sequence of the batch in its stream. */
  sequence: number
  /** Position of the item in its batch. */
  index: number
  /**
   * Revision of the job at the start of the attempt: a late write of a stalled attempt never replaces what the next
   * attempt wrote.
   */
  run: number
}

/** A vehicle as stored in the bucket `vehicles`, where the system that serves reads finds it. */
export interface VehicleRecord {
  client_id: string
  source_id: string
  source_name: string
  job_id: string
  order: VehicleOrder
  stored_at: string
  item: Item
  /**
   * Present when the upload asked for no image moderation: that the vehicle is stored then says nothing about its
   * pictures.
   */
  pictures_unjudged?: boolean
  /**
   * Positions in the upload of the assets that the item was stored without. Present while some of them are late: such an asset is
   * added when its source is there again.
   */
  assets_left_out?: readonly number[]
  /**
   * Positions in the upload of the assets that the item has as an earlier upload had them, because a new address of each is late: the
   * asset of the upload replaces such an asset when its source is there again, or the asset is removed when its source has no picture.
   */
  assets_as_before?: readonly number[]
  /**
   * Places in the upload of the fields of the sender's own, and of the entries of lists, that the item was stored without, because they
   * have a picture. Present while some of them are late.
   */
  fields_left_out?: readonly Place[]
}

/** A vehicle as the text of its record. */
export interface WrittenVehicle extends Pick<VehicleRecord, 'client_id' | 'source_id' | 'order'> {
  text: string
}

/** The text of a record: its other fields, and its item, which is at hand as JSON. */
export function written(fields: Omit<VehicleRecord, 'item'>, json: string): WrittenVehicle {
  const { client_id, source_id, order } = fields
  return { client_id, source_id, order, text: `${JSON.stringify(fields).slice(0, -1)},"item":${json}}` }
}

/** A vehicle's message beyond its item and its names: the other fields of the record, subject, headers, and what the server adds. */
const FRAME = 430
/** Bytes of a name in the subject, as base64url, by its own. */
const IN_SUBJECT = 4 / 3

/** Most bytes of the places in `fields_left_out`: a name in them may be long, and is there again for each field below it. */
export const MOST_LEFT_OUT = 4 * 1024

/** The names in the records of a batch's vehicles. */
export interface RecordNames {
  clientId: string
  sourceName: string
  sourceIds: readonly string[]
}

/** Bytes that the vehicles of a batch take beyond their items, as if each were new. */
export function framesOf({ clientId, sourceName, sourceIds }: RecordNames): number {
  const each = FRAME + bytesAsJson(sourceName) + bytesOfName(clientId)
  return Math.ceil(sourceIds.reduce((sum, id) => sum + each + bytesOfName(id), 0))
}

/** A name is in the record and in the subject. */
const bytesOfName = (name: string): number => bytesAsJson(name) + Buffer.byteLength(name) * IN_SUBJECT

/** Negative when `one` is earlier, 0 when both are the same, positive when `one` is later. */
export function compareOrder(one: VehicleOrder, other: VehicleOrder): number {
  return one.sequence - other.sequence || one.index - other.index || one.run - other.run
}
