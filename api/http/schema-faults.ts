import type { ErrorObject } from 'ajv'
import { ApiError, type FieldError } from '../errors.ts'
import { escapePointer } from './json-pointer.ts'

const MOST_REPORTED = 20

/** The `bad_request` for a request that fails its schema: one entry per field, at most twenty. */
export const schemaFault = (faults: readonly ErrorObject[]): ApiError =>
  fieldFault(faults.slice(0, MOST_REPORTED).map(toFieldError), faults.length)

/** The `bad_request` that lists the first twenty of these faults; `count` is the total. */
export function fieldFault(faults: readonly FieldError[], count = faults.length): ApiError {
  const errors = faults.slice(0, MOST_REPORTED)
  const first = errors[0]
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  const message = first ? `${first.path} ${first.message}${more}` : 'The request does not match the schema.'
  return new ApiError('bad_request', message, { errors })
}

/**
 * One fault of Ajv as the contract writes it: for a missing field, the path of that field rather than of its parent.
 */
export function toFieldError(fault: ErrorObject): FieldError {
  const parent = fault.instancePath.replace(/^\/requestBody/, '/body')
  const missing =
    fault.keyword === 'required' ? (fault.params as { missingProperty: string }).missingProperty : undefined
  return {
    path: missing === undefined ? parent : pathOfMissing(parent, missing),
    message: missing === undefined ? messageOf(fault) : 'is required',
    errorCode: `${fault.keyword}.openapi.validation`,
  }
}

function pathOfMissing(parent: string, name: string): string {
  if (parent === '' && name === 'requestBody') return '/body'
  return `${parent}/${escapePointer(name)}`
}

function messageOf(fault: ErrorObject): string {
  if (fault.keyword === 'enum') {
    return `must be one of ${(fault.params as { allowedValues: unknown[] }).allowedValues.join(', ')}`
  }
  if (fault.keyword === 'format') return `must be a ${(fault.params as { format: string }).format}`
  return fault.message ?? 'is not valid'
}
