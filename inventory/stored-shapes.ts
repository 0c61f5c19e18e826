import type { Item } from './batch.ts'
import type { JobRecord } from './job.ts'
import { isPictureAsset } from './pictures.ts'
import type { VehicleOrder, VehicleRecord } from './vehicle-record.ts'

/*
 * What a program relies on in a stored record. Another program, or a person, may have written it: a record with another shape counts
 * as none, because whatever fails on it would fail again at each attempt.
 */

type Fields = Record<string, unknown>

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isName = (value: unknown): boolean => isText(value) && value !== ''
export const isNumber = (value: unknown): boolean => Number.isSafeInteger(value)
export const isListOf = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every((one) => isOne(one))
const isAbsentOr = (value: unknown, isOne: (one: unknown) => boolean): boolean => value === undefined || isOne(value)

export const isOrder = (value: unknown): value is VehicleOrder =>
  isObject(value) && [value['sequence'], value['index'], value['run']].every(isNumber)

/** Whether the assets of an item can be moderated. */
export const isAsset = (asset: unknown): boolean =>
  isObject(asset) && isText(asset['type'] ?? '') && (!isPictureAsset(asset as never) || isText(asset['src']))

/** Whether an item can be moderated and stored. */
export const isItem = (item: unknown): item is Item =>
  isObject(item) &&
  isObject(item['vehicle']) &&
  isText(item['vehicle']['source_id']) &&
  (!item['assets'] || isListOf(item['assets'], isAsset))

export const isPlace = (place: unknown): boolean => isListOf(place, (key) => isText(key) || isNumber(key))
const isPositions = (value: unknown): boolean => isListOf(value, isNumber)

export function isVehicle(value: unknown): value is VehicleRecord {
  if (!isObject(value) || !isOrder(value['order']) || !isItem(value['item'])) return false
  const { assets_left_out: leftOut, assets_as_before: asBefore, fields_left_out: fields } = value
  const names = [value['client_id'], value['source_id']].every(isName)
  const lists = isAbsentOr(leftOut, isPositions) && isAbsentOr(asBefore, isPositions)
  return names && lists && isAbsentOr(fields, (each) => isListOf(each, isPlace))
}

export function isJob(value: unknown): value is JobRecord {
  if (!isObject(value)) return false
  const { id, client_id, client_uid, created_at, status, attempts, counts, errors, flags, image_moderation } = value
  const isList = (list: unknown) => isListOf(list, isObject)
  return (
    [id, client_id, client_uid, created_at].every(isText) &&
    (status === 'processing' || status === 'completed') &&
    isNumber(attempts) &&
    isAbsentOr(counts, isObject) &&
    isList(errors) &&
    [flags, image_moderation].every((each) => isAbsentOr(each, isList))
  )
}
