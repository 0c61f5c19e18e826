import type { ErrorObject } from 'ajv'
import type { Batch } from '#inventory/batch.ts'
import { MOST_PICTURES, picturesOf } from '#inventory/pictures.ts'
import type { ApiError, FieldError } from '../errors.ts'
import type { ContractOperation, RequestParts } from '../http/contract.ts'
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
  const faulty = [...crowdedItems(parts.requestBody as Batch), ...illFormedIds(parts.requestBody as Batch)]
  if (faulty.length > 0) return fieldFault(faulty)
  const reason = unkeepable(parts.requestBody)
  if (reason === undefined) return undefined
  return fieldFault([{ path: '/body', message: reason, errorCode: 'keep.openapi.validation' }])
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
    const count = picturesOf(item).length
    if (count <= MOST_PICTURES) return []
    const message = `has ${count} pictures; an item may have ${MOST_PICTURES}`
    return [{ path: `/body/items/${index}/assets`, message, errorCode: 'maxItems.openapi.validation' }]
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

/** Why a JSON value cannot be stored as it was sent; checks at most `levels` levels. */
export function unkeepable(value: unknown, levels = DEEPEST): string | undefined {
  // JSON.parse reads 1e999 as infinity, which JSON.stringify writes as null.
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'has a number that is too large'
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return `is nested in more than ${DEEPEST} levels`
  for (const each of Object.values(value)) {
    const found = unkeepable(each, levels - 1)
    if (found !== undefined) return found
  }
  return undefined
}
