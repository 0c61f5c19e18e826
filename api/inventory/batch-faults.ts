import type { ErrorObject } from 'ajv'
import { ApiError } from '../errors.ts'
import type { ContractOperation, RequestParts } from '../http/contract.ts'
import { schemaFault } from '../http/schema-faults.ts'

const DEEPEST = 32
const IN_FIRST_ITEM = '/requestBody/items/0'

/** The `bad_request` for a batch that the contract refuses: one fault of each item; undefined when there is none. */
export function batchFault(contract: ContractOperation, parts: RequestParts): ApiError | undefined {
  const faults = contract.faultsOf(parts)
  if (faults.length > 0) return schemaFault(faultsByItem(contract, parts, faults))
  return isDeeperThan(parts.requestBody, DEEPEST) ? tooDeep() : undefined
}

/**
 * Validation stops at its first fault, because 2 MB can hold a million of them; asked item by item it names one of each.
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

/** Whether objects and arrays are nested in more than `levels` levels; looks no further down than that. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const each of Object.values(value)) if (isDeeperThan(each, levels - 1)) return true
  return false
}

function tooDeep(): ApiError {
  const message = `is nested in more than ${DEEPEST} levels`
  const errors = [{ path: '/body', message, errorCode: 'depth.openapi.validation' }]
  return new ApiError('bad_request', `/body ${message}`, { errors })
}
