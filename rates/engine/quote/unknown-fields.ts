import { BOOLEAN_FACTS, DATE_FACTS, NUMBER_FACTS } from '../grammar/facts.ts'
import type { QuoteRequest } from '../request.ts'

const fields = (...names: string[]) => new Set(names)

const REQUEST = fields(
  'pricingCode',
  'showroomCode',
  'purchaseDate',
  'vehicleGeneric',
  'pricingInputs',
  'registration',
  'customer',
  'taxDatePolicy',
  'lctPreviouslyPaid',
  'options',
  'target',
)
const VEHICLE = fields('bodyType', 'fuelType', 'condition', ...NUMBER_FACTS, ...BOOLEAN_FACTS, ...DATE_FACTS)
VEHICLE.delete('termMonths')
const INPUTS = fields('dutiable', 'additional', 'listPrice', 'marketValue', 'lctPreviouslyPaid', 'gst')
const LINE = fields('description', 'value', 'kind')
const REGISTRATION = fields('startDate', 'termMonths', 'type', 'postcode')
const CUSTOMER = fields('customerType', 'usageType', 'concession')
const CONCESSION = fields('hasConcession', 'type')
const POLICY = fields('outOfRange')
const OPTIONS = fields('explain', 'incomplete')
const TARGET = fields('driveAway', 'adjustLineIndex', 'increment')

/** JSON pointers of the fields of a request that mean nothing here: a misspelt optional field must not change a price in silence. */
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
  collectTarget(request, found)
  return found
}

/** A plain quote does not use a target: nothing checks there what it is, or how much of it there is. */
function collectTarget({ target }: QuoteRequest & { target?: unknown }, found: string[]): void {
  if (typeof target !== 'object' || target === null) return
  const unknown: string[] = []
  collect(target, TARGET, '/target', unknown)
  found.push(...unknown.slice(0, 50))
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

/** Characters of a name that is told back: enough for any that was only misspelt. */
const LONGEST_NAME = 128

/** RFC 6901: `~` and `/` are escaped. */
function pointer(path: string, key: string): string {
  const name = key.length > LONGEST_NAME ? `${key.slice(0, LONGEST_NAME)}…` : key
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
