import type { LineKind } from './grammar/facts.ts'

/** One line of money as it is sent: `value` integer cents, negative for a discount. */
export interface RequestLine {
  description: string
  value: number
  kind?: LineKind
}

/** What a line is for: without a `kind`, a negative line is a discount and any other line part of the vehicle's price. */
export const kindOf = ({ kind, value }: RequestLine): LineKind => kind ?? (value < 0 ? 'discount' : 'vehicle')

/** The vehicle as it is sent: kilograms, grams of CO2 per km, litres per 100 km, cubic centimetres, ISO dates. */
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

/** Whether a vehicle of this fuel has no exhaust: it emits nothing, whatever is sent of its emissions. */
export const emitsNothing = (fuelType: string | undefined): boolean => fuelType === 'BEV' || fuelType === 'FCEV'

/** The body of `POST /v1/quote` once its schema holds: money in integer cents, dates `YYYY-MM-DD`. */
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
  /** Kept for requests that send it at the top, as the contract's table has it. */
  lctPreviouslyPaid?: number
  /** The engine reads the first two; receipts and earlier releases are matters of the API. */
  options?: { explain?: boolean; incomplete?: 'answer' | 'reject'; receipt?: boolean; asKnownAt?: string }
}

/** The type of a registration: `new` when left out. */
export const registrationTypeOf = (type: string | undefined): string => type ?? 'new'

/** The condition of a vehicle; when left out, a vehicle is used where its registration is transferred, and new otherwise. */
export const conditionOf = (condition: string | undefined, registrationType: string | undefined): string =>
  condition ?? (registrationType === 'transfer' ? 'used' : 'new')

const USUAL_TERM = 12

/** The term of a registration, months; when left out, 12, or the first term offered where 12 is not offered. */
export const termMonthsOf = (termMonths: number | undefined, offered: readonly number[]): number =>
  termMonths ?? (offered.includes(USUAL_TERM) ? USUAL_TERM : (offered[0] ?? USUAL_TERM))

/** What is solved for, cents: the drive-away wanted, which dutiable line may change (0), on which multiple (100). */
export interface Target {
  driveAway: number
  adjustLineIndex?: number
  increment?: number
}
