import type { ErrorObject } from 'ajv'
import type { Batch } from '#inventory/batch.ts'
import { MOST_PICTURES, picturesOf } from '#inventory/pictures.ts'
import type { ApiError, FieldError } from '../errors.ts'
import type { ContractOperation, RequestParts } from '../http/contract.ts'
import { escapePointer } from '../http/json-pointer.ts'
import { fieldFault, schemaFault } from '../http/schema-faults.ts'

/** Greatest nesting depth of objects and lists. */
export const DEEPEST = 32
const IN_FIRST_ITEM = '/requestBody/items/0'
/** Depth to which the contract names fields: a batch, its items, an item, its assets, an asset. */
const NAMED_LEVELS = 8

/**
 * The `bad_request` for a batch that breaks the contract, with one fault per item; undefined when the batch is valid.
 */
export function batchFault(contract: ContractOperation, parts: RequestParts): ApiError | undefined {
  const fault = schemaFaultOf(contract, parts)
  if (fault) return fault
  const batch = parts.requestBody as Batch
  const faulty = [...crowdedItems(batch), ...illFormedIds(batch), ...unkeepableValues(batch)]
  return faulty.length > 0 ? fieldFault(faulty) : undefined
}

/**
 * Nearly every batch is valid as it was sent; only an invalid one is checked again without the fields that count as
 * absent.
 */
function schemaFaultOf(contract: ContractOperation, parts: RequestParts): ApiError | undefined {
  if (contract.faultsOf(parts).length === 0) return undefined
  const present = { ...parts, requestBody: withoutAbsent(parts.requestBody) }
  const faults = contract.faultsOf(present)
  return faults.length > 0 ? schemaFault(faultsByItem(contract, present, faults)) : undefined
}

/**
 * A body without the fields that are null or an empty text, which count as absent; below the levels that the contract
 * names it is unchanged.
 */
function withoutAbsent(value: unknown, levels = NAMED_LEVELS): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (Array.isArray(value)) return value.map((each) => withoutAbsent(each, levels - 1))
  const present = Object.entries(value).filter(([, each]) => each !== null && each !== '')
  return Object.fromEntries(present.map(([name, each]) => [name, withoutAbsent(each, levels - 1)]))
}

/**
 * Validation stops at the first fault, because 2 MB can contain a million; checking item by item finds one per item.
 */
function faultsByItem(contract: ContractOperation, parts: RequestParts, found: ErrorObject[]): ErrorObject[] {
  const body = parts.requestBody as { items?: unknown }
  if (!found.some(({ instancePath }) => instancePath.startsWith('/requestBody/items/'))) return found
  return (body.items as unknown[]).flatMap((item, index) =>
    contract
      .faultsOf({ ...parts, requestBody: { ...body, items: [item] } })
      .filter(({ instancePath }) => instancePath.startsWith(IN_FIRST_ITEM))
      .map((fault) => ({
        ...fault,
        instancePath: `/requestBody/items/${index}${fault.instancePath.slice(IN_FIRST_ITEM.length)}`,
      })),
  )
}

/** The items with too many pictures. A schema cannot count pictures, because the list has other assets too. */
function crowdedItems({ items }: Batch): FieldError[] {
  return items.flatMap((item, index) => {
    const pictures = picturesOf(item)
    if (pictures.length <= MOST_PICTURES) return []
    const message = `has ${pictures.length} pictures; an item may have ${MOST_PICTURES}`
    // Some may be elsewhere: a logo, or photos in a field that the sender invents.
    const place = pictures.every(({ position }) => position !== undefined) ? '/assets' : ''
    return [{ path: `/body/items/${index}${place}`, message, errorCode: 'maxItems.openapi.validation' }]
  })
}

/** Half of a surrogate pair is no character: all such halves would give one key, and one vehicle would replace another. */
function illFormedIds({ items }: Batch): FieldError[] {
  return items.flatMap(({ vehicle }, index) => {
    if (vehicle.source_id.isWellFormed()) return []
    const message =
      'has half of a surrogate pair (\\ud800 to \\udfff), which is no character; expected well-formed Unicode'
    return [{ path: `/body/items/${index}/vehicle/source_id`, message, errorCode: 'format.openapi.validation' }]
  })
}

/** The first value of each item that cannot be stored as it was sent; one outside the items, when no item has any. */
function unkeepableValues(batch: Batch): FieldError[] {
  const first = unkeepable(batch, DEEPEST)
  if (!first) return []
  const inItems = batch.items.flatMap((item, index) => {
    const found = unkeepable(item, DEEPEST - 2)
    return found ? [{ ...found, place: ['items', String(index), ...found.place] }] : []
  })
  return (inItems.length > 0 ? inItems : [first]).map(({ place, message }) => {
    return { path: pointerTo(place), message, errorCode: 'keep.openapi.validation' }
  })
}

interface Unkeepable {
  message: string
  /** The names and positions that lead to the value. */
  place: string[]
}

/** The first JSON value that cannot be stored as it was sent; checks at most `levels` levels. */
function unkeepable(value: unknown, levels: number): Unkeepable | undefined {
  // JSON.parse reads 1e999 as infinity, which JSON.stringify writes as null.
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : { message: 'has a number that is too large', place: [] }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return { message: `is nested in more than ${DEEPEST} levels`, place: [] }
  // Names are listed only for a value that cannot be stored: nearly every batch has none.
  for (const each of Object.values(value)) {
    const found = unkeepable(each, levels - 1)
    if (found) return { ...found, place: [nameOf(value, each), ...found.place] }
  }
  return undefined
}

const nameOf = (object: object, value: unknown): string => Object.keys(object)[Object.values(object).indexOf(value)]!

const LONGEST_POINTER = 300

/** The pointer of a value, or of a parent when a name on the way is too long to repeat. */
function pointerTo(place: readonly string[]): string {
  const tooLong = place.findIndex((_, index) => place.slice(0, index + 1).join('/').length > LONGEST_POINTER)
  const names = tooLong === -1 ? place : place.slice(0, tooLong)
  return ['/body', ...names.map(escapePointer)].join('/')
}
