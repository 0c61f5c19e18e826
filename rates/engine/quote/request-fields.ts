import type { QuoteRequest, RequestLine, Target, Vehicle } from '../request.ts'

type Customer = NonNullable<QuoteRequest['customer']>

/**
 * The field names of a type in request.ts. The compiler refuses a list that lacks a name or has one that the type
 * lacks.
 */
const fieldsOf = <T extends object>(names: Record<keyof T, 1>): ReadonlySet<string> => new Set(Object.keys(names))

export const REQUEST = fieldsOf<QuoteRequest>({
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
export const VEHICLE = fieldsOf<Vehicle>({
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
export const INPUTS = fieldsOf<QuoteRequest['pricingInputs']>({
  dutiable: 1,
  additional: 1,
  listPrice: 1,
  marketValue: 1,
  lctPreviouslyPaid: 1,
  gst: 1,
})
export const LINE = fieldsOf<RequestLine>({ description: 1, value: 1, kind: 1 })
export const REGISTRATION = fieldsOf<QuoteRequest['registration']>({
  startDate: 1,
  termMonths: 1,
  type: 1,
  postcode: 1,
})
export const CUSTOMER = fieldsOf<Customer>({ customerType: 1, usageType: 1, concession: 1 })
export const CONCESSION = fieldsOf<NonNullable<Customer['concession']>>({ hasConcession: 1, type: 1 })
export const POLICY = fieldsOf<NonNullable<QuoteRequest['taxDatePolicy']>>({ outOfRange: 1 })
export const OPTIONS = fieldsOf<NonNullable<QuoteRequest['options']>>({
  explain: 1,
  incomplete: 1,
  receipt: 1,
  asKnownAt: 1,
})
export const TARGET = fieldsOf<Target>({ driveAway: 1, adjustLineIndex: 1, increment: 1 })
