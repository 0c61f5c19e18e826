import { BODY_TYPES, FUEL_TYPES } from '../engine/grammar/facts.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { QuoteRequest, Vehicle } from '../engine/request.ts'
import type { JurisdictionYear } from '../engine/summaries.ts'
import { wholeCents } from '../proof/example-request.ts'
import { usedRequest, variations } from './variations.ts'

/** Typical vehicles: the facts of each body, those that each fuel adds, and prices in dollars. */
export interface Portfolio {
  prices: readonly string[]
  bodies: Readonly<Record<string, Vehicle>>
  fuels: Readonly<Record<string, Vehicle>>
}

/** One vehicle to price, in words and as a request. */
export interface PortfolioRequest {
  words: string
  request: QuoteRequest
}

/** Cents on both sides of the edges that apply to a new vehicle of a body and fuel. */
export type EdgesOf = (request: QuoteRequest) => readonly number[]

/** Every body, fuel and price, new and used, with a price on both sides of each edge. */
export function pricedVehicles(code: string, day: string, portfolio: Portfolio, edgesOf: EdgesOf): PortfolioRequest[] {
  return FUEL_TYPES.flatMap((fuelType) => {
    const first = vehicleOf(BODY_TYPES[0], fuelType, portfolio)
    const edges = edgesOf(requestOf(code, day, first, 0))
    const prices = [...new Set([...portfolio.prices.map(wholeCents), ...edges])].sort((a, b) => a - b)
    return BODY_TYPES.flatMap((bodyType) => {
      const vehicle = vehicleOf(bodyType, fuelType, portfolio)
      return prices.flatMap((price) => [
        asked(vehicle, requestOf(code, day, vehicle, price)),
        asked(vehicle, usedRequest(requestOf(code, day, vehicle, price), day)),
      ])
    })
  })
}

/**
 * Every body with the most and the least common fuel, in variations that change one thing at a time: each offered term,
 * zone, customer, edge of a fact, missing fact and other value of the vehicle; and each concession for each term.
 */
export function variedVehicles(
  year: JurisdictionYear,
  spec: RateSetSpec,
  day: string,
  portfolio: Portfolio,
): PortfolioRequest[] {
  const price = wholeCents(portfolio.prices[Math.floor(portfolio.prices.length / 2)] ?? '0')
  const changes = variations(year, spec, day)
  const fuels = [FUEL_TYPES[0], FUEL_TYPES[3]]
  return fuels.flatMap((fuelType) =>
    BODY_TYPES.flatMap((bodyType) => {
      const vehicle = vehicleOf(bodyType, fuelType, portfolio)
      const base = requestOf(spec.pricingCode, day, vehicle, price)
      return changes.map(({ words, change }) => asked(vehicle, change(base), words))
    }),
  )
}

const vehicleOf = (bodyType: string, fuelType: string, { bodies, fuels }: Portfolio): Vehicle => ({
  ...fuels[fuelType],
  ...bodies[bodyType],
  bodyType,
  fuelType,
  condition: 'new',
})

function requestOf(pricingCode: string, day: string, vehicleGeneric: Vehicle, price: number): QuoteRequest {
  return {
    pricingCode,
    showroomCode: '',
    purchaseDate: day,
    vehicleGeneric,
    pricingInputs: { dutiable: [{ description: 'Vehicle', value: price, kind: 'vehicle' }] },
    registration: { startDate: day },
    taxDatePolicy: { outOfRange: 'error' },
  }
}

function asked({ fuelType, bodyType }: Vehicle, request: QuoteRequest, more?: string): PortfolioRequest {
  const price = (request.pricingInputs.dutiable[0]?.value ?? 0) / 100
  const amount = price
    .toFixed(2)
    .replace(/\.00$/, '')
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  const words = `${request.vehicleGeneric?.condition} ${fuelType} ${bodyType?.replaceAll('_', ' ')} at $${amount}`
  return { words: more === undefined ? words : `${words}, ${more}`, request }
}
