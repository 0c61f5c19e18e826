import type { QuoteRequest, RequestLine, Target, Vehicle } from '../request.ts'

type Customer = NonNullable<QuoteRequest['customer']>

/** The names of the fields of a type of request.ts: the compiler refuses a name that is missing or that the type lacks. */
const fieldsOf = <T extends object>(names: Record<keyof T, true>): ReadonlySet<string> => new Set(Object.keys(names))

const REQUEST = fieldsOf<QuoteRequest>({
  pricingCode: true,
  showroomCode: true,
  purchaseDate: true,
  vehicleGeneric: true,
  pricingInputs: true,
  registration: true,
  customer: true,
  taxDatePolicy: true,
  lctPreviouslyPaid: true,
  options: true,
})
const VEHICLE = fieldsOf<Vehicle>({
  bodyType: true,
  fuelType: true,
  condition: true,
  cylinders: true,
  rotors: true,
  seats: true,
  tareKg: true,
  gvmKg: true,
  kerbMassKg: true,
  co2GPerKm: true,
  engineCapacityCc: true,
  fuelConsumptionLPer100km: true,
  year: true,
  manufactureDate: true,
  firstRegisteredDate: true,
  previouslyRegistered: true,
  demonstrator: true,
})
const INPUTS = fieldsOf<QuoteRequest['pricingInputs']>({
  dutiable: true,
  additional: true,
  listPrice: true,
  marketValue: true,
  lctPreviouslyPaid: true,
  gst: true,
})
const LINE = fieldsOf<RequestLine>({ description: true, value: true, kind: true })
const REGISTRATION = fieldsOf<QuoteRequest['registration']>({
  startDate: true,
  termMonths: true,
  type: true,
  postcode: true,
})
const CUSTOMER = fieldsOf<Customer>({ customerType: true, usageType: true, concession: true })
const CONCESSION = fieldsOf<NonNullable<Customer['concession']>>({ hasConcession: true, type: true })
const POLICY = fieldsOf<NonNullable<QuoteRequest['taxDatePolicy']>>({ outOfRange: true })
const OPTIONS = fieldsOf<NonNullable<QuoteRequest['options']>>({ explain: true, incomplete: true })
const TARGET = fieldsOf<Target>({ driveAway: true, adjustLineIndex: true, increment: true })

/** JSON pointers of the fields of a request that the engine does not know: a misspelt optional field must not change a price in silence. */
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

/** Characters of a name that is told back: enough for any that was only misspelt. */
const LONGEST_NAME = 128

/** RFC 6901: `~` and `/` are escaped. */
function pointer(path: string, key: string): string {
  const name = key.length > LONGEST_NAME ? `${key.slice(0, LONGEST_NAME)}…` : key
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
