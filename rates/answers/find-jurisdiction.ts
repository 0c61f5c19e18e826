import { PricingFault } from '../engine/answer.ts'
import { covers } from '../engine/dates.ts'
import type { Jurisdiction, Snapshot } from '../engine/snapshot.ts'
import type { JurisdictionYear } from '../engine/summaries.ts'

/**
 * The jurisdiction of a query's pricing code. Throws INVALID_PRICING_CODE, or not_ready when its rates could not be
 * loaded.
 */
export function findJurisdiction(pricingCode: string, snapshot: Snapshot): Jurisdiction {
  const codes = Object.keys(snapshot.jurisdictions)
  // Own properties only: `constructor` is not a jurisdiction.
  const found = Object.hasOwn(snapshot.jurisdictions, pricingCode) ? snapshot.jurisdictions[pricingCode] : undefined
  if (found) return found
  if (snapshot.unavailable.includes(pricingCode))
    throw new PricingFault('not_ready', '', `The rates of ${pricingCode} are not loaded yet; try again later.`, [])
  const message = `The pricing code ${pricingCode} is not known; the known codes are ${codes.join(', ')}.`
  throw new PricingFault('INVALID_PRICING_CODE', '/query/pricingCode', message)
}

/** The year of the supported range that covers an ISO date. */
export function yearOf(date: string, jurisdiction: Jurisdiction): JurisdictionYear | undefined {
  return Object.values(jurisdiction.years).find((year) => covers(year, date))
}
