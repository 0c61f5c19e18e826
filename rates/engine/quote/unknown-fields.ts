import type { QuoteRequest, RequestLine, Target, Vehicle } from '../request.ts'

type Customer = NonNullable<QuoteRequest['customer']>

/**
 * The field names of a type in request.ts. The compiler refuses a list that lacks a name or has one that the type
 * lacks.
 */
const fieldsOf = <T extends object>(names: Record<keyof T, 1>): ReadonlySet<string> => new Set(Object.keys(names))

const REQUEST = fieldsOf<QuoteRequest>({
  pricingCode: 1,
  showroomCode: 1,
  purchaseDate: 1,
  vehicleGeneric: 1,
  pricingInputs: 1,
  registration: 1,
  customer: 1,
  taxDatePolicy: 1,
  lctPreviouslyPaid: 1,
  options: 1,
})
const VEHICLE = fieldsOf<Vehicle>({
  bodyType: 1,
  fuelType: 1,
  condition: 1,
  cylinders: 1,
  rotors: 1,
  seats: 1,
  tareKg: 1,
  gvmKg: 1,
  kerbMassKg: 1,
  co2GPerKm: 1,
  engineCapacityCc: 1,
  fuelConsumptionLPer100km: 1,
  year: 1,
  manufactureDate: 1,
  firstRegisteredDate: 1,
  previouslyRegistered: 1,
  demonstrator: 1,
})
const INPUTS = fieldsOf<QuoteRequest['pricingInputs']>({
  dutiable: 1,
  additional: 1,
  listPrice: 1,
  marketValue: 1,
  lctPreviouslyPaid: 1,
  gst: 1,
})
const LINE = fieldsOf<RequestLine>({ description: 1, value: 1, kind: 1 })
const REGISTRATION = fieldsOf<QuoteRequest['registration']>({
  startDate: 1,
  termMonths: 1,
  type: 1,
  postcode: 1,
})
const CUSTOMER = fieldsOf<Customer>({ customerType: 1, usageType: 1, concession: 1 })
const CONCESSION = fieldsOf<NonNullable<Customer['concession']>>({ hasConcession: 1, type: 1 })
const POLICY = fieldsOf<NonNullable<QuoteRequest['taxDatePolicy']>>({ outOfRange: 1 })
const OPTIONS = fieldsOf<NonNullable<QuoteRequest['options']>>({ explain: 1, incomplete: 1, receipt: 1, asKnownAt: 1 })
const TARGET = fieldsOf<Target>({ driveAway: 1, adjustLineIndex: 1, increment: 1 })

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
