import type { QuoteRequest, RequestLine } from '#rates/engine/request.ts'

const VEHICLE = [
  ...[
    'bodyType',
    'fuelType',
    'condition',
    'cylinders',
    'rotors',
    'seats',
    'tareKg',
    'gvmKg',
    'kerbMassKg',
    'co2GPerKm',
  ],
  ...['engineCapacityCc', 'fuelConsumptionLPer100km', 'year', 'manufactureDate', 'firstRegisteredDate'],
  ...['previouslyRegistered', 'demonstrator'],
]
const INPUTS = ['listPrice', 'marketValue', 'lctPreviouslyPaid', 'gst']
const REGISTRATION = ['startDate', 'termMonths', 'type', 'postcode']
const CUSTOMER = ['customerType', 'usageType']

/**
 * What of a request decides its price, and nothing else: no showroom, no description, and no field that is not listed
 * here. The engine gives the same figures for it.
 */
export function redacted(request: QuoteRequest): QuoteRequest {
  const { pricingCode, purchaseDate, vehicleGeneric, pricingInputs, registration, customer, options } = request
  const { concession } = customer ?? {}
  const { dutiable, additional } = pricingInputs
  const { taxDatePolicy } = request
  const inputs = {
    ...only(pricingInputs, INPUTS),
    dutiable: dutiable.map(withoutText),
    ...(additional && { additional: additional.map(withoutText) }),
  }
  const claim = concession && { concession: only(concession, ['hasConcession', 'type']) }
  return {
    ...only(request, ['lctPreviouslyPaid']),
    ...{ pricingCode, showroomCode: '', purchaseDate, pricingInputs: inputs },
    registration: only(registration, REGISTRATION),
    ...(vehicleGeneric && { vehicleGeneric: only(vehicleGeneric, VEHICLE) }),
    ...(customer && { customer: { ...only(customer, CUSTOMER), ...claim } }),
    ...(taxDatePolicy && { taxDatePolicy: only(taxDatePolicy, ['outOfRange']) }),
    ...(options && { options: only(options, ['incomplete']) }),
  }
}

const withoutText = ({ kind, value }: RequestLine): RequestLine => ({ description: '', ...(kind && { kind }), value })

/** The fields of an object that are among some names, where they are no objects. */
function only<T extends object>(object: T, names: readonly string[]): T {
  const found = Object.entries(object).filter(([name, value]) => names.includes(name) && typeof value !== 'object')
  return Object.fromEntries(found) as T
}
