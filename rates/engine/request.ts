import type { LineKind } from './grammar/facts.ts'

/** One line of money in a request: `value` is in integer cents, negative for a discount. */
export interface RequestLine {
  description: string
  value: number
  kind?: LineKind
}

/**
 * The kind of a line. Without a `kind`, a negative line is a discount, and any other line is part of the vehicle's
 * price.
 */
export const kindOf = ({ kind, value }: RequestLine): LineKind => kind ?? (value < 0 ? 'discount' : 'vehicle')

/** The vehicle of a request, in kilograms, grams of CO2 per km, litres per 100 km, cubic centimetres and ISO dates. */
export interface Vehicle {
  bodyType?: string
  fuelType?: string
  condition?: 'new' | 'used'
  cylinders?: number
  rotors?: number
  seats?: number
  tareKg?: number
  gvmKg?: number
  kerbMassKg?: number
  co2GPerKm?: number
  engineCapacityCc?: number
  fuelConsumptionLPer100km?: number
  year?: number
  manufactureDate?: string
  firstRegisteredDate?: string
  previouslyRegistered?: boolean
  demonstrator?: boolean
}

/** Whether a vehicle of this fuel has no exhaust; it then emits nothing, whatever emissions were sent. */
export const emitsNothing = (fuelType: string | undefined): boolean => fuelType === 'BEV' || fuelType === 'FCEV'

/** The body of `POST /v1/quote` after validation: money in integer cents, dates `YYYY-MM-DD`. */
export interface QuoteRequest {
  pricingCode: string
  showroomCode: string
  purchaseDate: string
  vehicleGeneric?: Vehicle
  pricingInputs: {
    dutiable: RequestLine[]
    additional?: RequestLine[]
    listPrice?: number
    marketValue?: number
    lctPreviouslyPaid?: number
    /** `none` for a sale that bears no GST, such as a private one. */
    gst?: 'taxable' | 'none'
  }
  registration: {
    startDate: string
    termMonths?: number
    type?: 'new' | 'transfer'
    postcode?: string
  }
  customer?: {
    customerType?: string
    usageType?: string
    concession?: { hasConcession?: boolean; type?: string }
  }
  taxDatePolicy?: { outOfRange?: 'error' | 'prior_year' | 'legacy' }
  /** Also accepted at the top level, because the contract's table has it there. */
  lctPreviouslyPaid?: number
  /** The engine reads the first two; the API handles receipts and earlier releases. */
  options?: { explain?: boolean; incomplete?: 'answer' | 'reject'; receipt?: boolean; asKnownAt?: string }
}

/** The type of a registration; `new` by default. */
export const registrationTypeOf = (type: string | undefined): string => type ?? 'new'

/** The condition of a vehicle; by default used when its registration is transferred, and new otherwise. */
export const conditionOf = (condition: string | undefined, registrationType: string | undefined): string =>
  condition ?? (registrationType === 'transfer' ? 'used' : 'new')

const USUAL_TERM = 12

/** The term of a registration in months; by default 12, or the first term offered when 12 is not offered. */
export const termMonthsOf = (termMonths: number | undefined, offered: readonly number[]): number =>
  termMonths ?? (offered.includes(USUAL_TERM) ? USUAL_TERM : (offered[0] ?? USUAL_TERM))

/**
 * The target in cents: the wanted drive-away, which dutiable line may change (default 0), and the increment (default
 * 100).
 */
export interface Target {
  driveAway: number
  adjustLineIndex?: number
  increment?: number
}
