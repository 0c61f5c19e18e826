import { addYears, dayOf } from '#rates/engine/dates.ts'
import type { ZoneList } from '#rates/engine/grammar/zone-list.ts'
import { totalOf } from '#rates/engine/quote/inputs.ts'
import type { QuoteRequest, Vehicle } from '#rates/engine/request.ts'

/** A request as flat facts, the input of a general rules engine. Money in cents. */
export interface Car {
  dutiable: number
  marketValue: number
  bodyType: string
  fuelType: string
  usageType: string
  registrationType: string
  neverRegistered: boolean
  termMonths: number
  zone: string
  co2: number
  consumption: number
  goodsMarginKg: number
  overTwoYears: boolean
  usedBeforeJuly2025: boolean
  lctPreviouslyPaid: number
}

/** Cents by component. */
export type Lines = Record<string, number>

/** A general rules engine with the Victorian rules. */
export interface Peer {
  name: string
  price(car: Car): Promise<Lines> | Lines
}

/**
 * The facts of a request. Zone, age and load are computed here and not by the peer: none of their languages has a table
 * of postcodes or a calendar. This favours the peers.
 */
export function carOf(request: QuoteRequest, zoneOf: (postcode: string) => string): Car {
  const { vehicleGeneric, registration, pricingInputs, customer } = request
  const registrationType = registration.type ?? 'new'
  return {
    ...vehicleFacts(vehicleGeneric ?? {}, registration.startDate),
    dutiable: totalOf(pricingInputs.dutiable),
    marketValue: pricingInputs.marketValue ?? 0,
    lctPreviouslyPaid: pricingInputs.lctPreviouslyPaid ?? 0,
    usageType: customer?.usageType ?? 'consumer',
    registrationType,
    neverRegistered: registrationType === 'new' && vehicleGeneric?.previouslyRegistered === false,
    termMonths: registration.termMonths ?? 12,
    zone: zoneOf(registration.postcode ?? ''),
  }
}

function vehicleFacts(vehicle: Vehicle, date: string) {
  const { manufactureDate: made, firstRegisteredDate: first, seats = 0, gvmKg = 0, kerbMassKg = 0 } = vehicle
  const { bodyType = '', fuelType = '', condition, co2GPerKm: co2 = Infinity } = vehicle
  return {
    bodyType,
    fuelType,
    co2,
    consumption: vehicle.fuelConsumptionLPer100km ?? Infinity,
    goodsMarginKg: gvmKg - kerbMassKg - 136 * seats,
    overTwoYears: made !== undefined && addYears(dayOf(made), 2) < dayOf(date),
    usedBeforeJuly2025: condition === 'used' && first !== undefined && first < '2025-07-01',
  }
}

/** The zone of a postcode by a set's own list: the first that contains it. */
export function zonesOf(list: ZoneList): (postcode: string) => string {
  const ranges = list.values.flatMap(({ zone, postcodes }) =>
    postcodes.map((range) => ({ zone, first: range.slice(0, 4), last: range.slice(-4) })),
  )
  return (postcode) => ranges.find(({ first, last }) => first <= postcode && postcode <= last)?.zone ?? ''
}
