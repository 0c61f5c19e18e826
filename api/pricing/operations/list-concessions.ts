import { findJurisdiction, yearOf } from '#rates/answers/find-jurisdiction.ts'
import { covers } from '#rates/engine/dates.ts'
import { concessionsOfYear } from '#rates/engine/year-listings.ts'
import { todayIn } from '#runtime/today.ts'
import { asKnown } from '../as-known.ts'
import type { Operation } from '../operation.ts'
import { refusing } from '../price.ts'

/** `GET /v1/concessions`. */
export const listConcessions: Operation = {
  operationId: 'listConcessions',
  bodyLimit: 0,
  handle: async (call) => {
    const { query, clock } = call
    const { snapshot } = await asKnown(call, query.asKnownAt, '/query/asKnownAt')
    const jurisdiction = refusing('', () => findJurisdiction(query.pricingCode ?? '', snapshot))
    const date = query.date ?? todayIn(jurisdiction.timeZone, clock())
    const year = yearOf(date, jurisdiction)
    const concessions = year ? concessionsOfYear(year).filter((concession) => covers(concession, date)) : []
    return { body: { pricingCode: jurisdiction.pricingCode, concessions }, version: `${snapshot.release} ${date}` }
  },
}
