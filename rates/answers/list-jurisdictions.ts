import type { Snapshot } from '../engine/snapshot.ts'
import type { OfferedJurisdiction } from '../offered/describe.ts'
import { covers } from '../engine/dates.ts'
import { findJurisdiction } from './find-jurisdiction.ts'

/** Selects jurisdictions: one or all, with the year that covers an ISO date or with every year. */
export interface JurisdictionsQuery {
  pricingCode?: string | undefined
  date?: string | undefined
}

/** The answer of `GET /v1/jurisdictions`. */
export interface JurisdictionsAnswer {
  release: string
  jurisdictions: OfferedJurisdiction[]
}

/** A checked query; `select` takes the requested ones from all jurisdictions of the release. */
interface CheckedQuery {
  select(jurisdictions: readonly OfferedJurisdiction[]): JurisdictionsAnswer
}

/** Checks a query before the jurisdictions are described; throws PricingFault. */
export function checkJurisdictions({ pricingCode, date }: JurisdictionsQuery, snapshot: Snapshot): CheckedQuery {
  if (pricingCode !== undefined) findJurisdiction(pricingCode, snapshot)
  return {
    select: (jurisdictions) => {
      const found = jurisdictions.filter((one) => pricingCode === undefined || one.pricingCode === pricingCode)
      return { release: snapshot.release, jurisdictions: found.map((one) => onDay(one, date)) }
    },
  }
}

/** The jurisdiction with only the year that covers a date, when a date is given. */
function onDay(jurisdiction: OfferedJurisdiction, date: string | undefined): OfferedJurisdiction {
  if (date === undefined) return jurisdiction
  return { ...jurisdiction, years: jurisdiction.years.filter((year) => covers(year, date)) }
}
