import type { OfferedJurisdiction } from '#rates/offered/describe.ts'
import { covers } from '#rates/engine/dates.ts'
import { findJurisdiction } from '../find-jurisdiction.ts'
import type { Operation } from '../operation.ts'

/** `GET /v1/jurisdictions`. */
export const listJurisdictions: Operation = {
  operationId: 'listJurisdictions',
  bodyLimit: 0,
  handle: async ({ query, snapshot, reportOf }) => {
    const { pricingCode, date } = query
    if (pricingCode !== undefined) findJurisdiction(pricingCode, snapshot)
    const { jurisdictions } = await reportOf(snapshot)
    const found = jurisdictions.filter((one) => pricingCode === undefined || one.pricingCode === pricingCode)
    const body = { release: snapshot.release, jurisdictions: found.map((one) => onDay(one, date)) }
    return { body, version: `${snapshot.release} ${pricingCode ?? ''} ${date ?? ''}` }
  },
}

/** With the year that covers a date only, where one is asked for. */
function onDay(jurisdiction: OfferedJurisdiction, date: string | undefined): OfferedJurisdiction {
  if (date === undefined) return jurisdiction
  return { ...jurisdiction, years: jurisdiction.years.filter((year) => covers(year, date)) }
}
