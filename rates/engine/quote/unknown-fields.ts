import type { QuoteRequest, Target } from '../request.ts'
import {
  CONCESSION,
  CUSTOMER,
  INPUTS,
  LINE,
  OPTIONS,
  POLICY,
  REGISTRATION,
  REQUEST,
  TARGET,
  VEHICLE,
} from './request-fields.ts'

/**
 * JSON pointers of the fields of a request that the engine does not know: a misspelt optional field must not change a
 * price silently.
 */
export function unknownFields(request: QuoteRequest): string[] {
  const found: string[] = []
  const { pricingInputs, customer } = request
  collect(request, REQUEST, '', found)
  collect(request.vehicleGeneric, VEHICLE, '/vehicleGeneric', found)
  collect(pricingInputs, INPUTS, '/pricingInputs', found)
  collect(request.registration, REGISTRATION, '/registration', found)
  collect(customer, CUSTOMER, '/customer', found)
  collect(customer?.concession, CONCESSION, '/customer/concession', found)
  collect(request.taxDatePolicy, POLICY, '/taxDatePolicy', found)
  collect(request.options, OPTIONS, '/options', found)
  collectLines(pricingInputs.dutiable, '/pricingInputs/dutiable', found)
  if (pricingInputs.additional) collectLines(pricingInputs.additional, '/pricingInputs/additional', found)
  return found
}

/** JSON pointers of the fields of a target that the engine does not know, at most 50. */
export function unknownTargetFields(target: Target): string[] {
  const found: string[] = []
  collect(target, TARGET, '/target', found)
  return found.slice(0, 50)
}

function collectLines(lines: readonly object[], path: string, found: string[]): void {
  for (let index = 0; index < lines.length; index++) {
    for (const key in lines[index]) if (!LINE.has(key)) found.push(pointer(`${path}/${index}`, key))
  }
}

function collect(value: object | undefined, known: ReadonlySet<string>, path: string, found: string[]): void {
  if (value === undefined) return
  for (const key in value) if (!known.has(key)) found.push(pointer(path, key))
}

/** Characters of an unknown name that are shown: enough for any misspelt name. */
const LONGEST_NAME = 128

/** Appends a key to a JSON pointer, escaping `~` and `/` (RFC 6901). */
function pointer(path: string, key: string): string {
  const name = key.length > LONGEST_NAME ? `${key.slice(0, LONGEST_NAME)}…` : key
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
