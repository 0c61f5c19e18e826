import { covers } from '#rates/engine/dates.ts'
import type { Jurisdiction, Snapshot } from '#rates/engine/snapshot.ts'
import type { JurisdictionYear } from '#rates/engine/summaries.ts'
import { ApiError } from '../errors.ts'

/** The jurisdiction of a query's pricing code; throws INVALID_PRICING_CODE. */
export function findJurisdiction(pricingCode: string, snapshot: Snapshot): Jurisdiction {
  const codes = Object.keys(snapshot.jurisdictions)
  // Own names only: `constructor` is no jurisdiction.
  const found = Object.hasOwn(snapshot.jurisdictions, pricingCode) ? snapshot.jurisdictions[pricingCode] : undefined
  if (found) return found
  if (snapshot.unavailable.includes(pricingCode))
    throw new ApiError('not_ready', `The rates of ${pricingCode} are not loaded yet; try again later.`)
  const message = `The pricing code ${pricingCode} is not known; the known codes are ${codes.join(', ')}.`
  const errors = [{ path: '/query/pricingCode', message, errorCode: 'INVALID_PRICING_CODE' }]
  throw new ApiError('INVALID_PRICING_CODE', message, { errors })
}

/** The year of the supported range that covers an ISO date. */
export function yearOf(date: string, jurisdiction: Jurisdiction): JurisdictionYear | undefined {
  return Object.values(jurisdiction.years).find((year) => covers(year, date))
}
