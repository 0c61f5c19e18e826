import { findJurisdiction, yearOf } from '#rates/answers/find-jurisdiction.ts'
import { covers } from '#rates/engine/dates.ts'
import { todayIn } from '#runtime/today.ts'
import type { Operation } from '../operation.ts'
import { refusing } from '../price.ts'

/** `GET /v1/concessions`. */
export const listConcessions: Operation = {
  operationId: 'listConcessions',
  bodyLimit: 0,
  handle: ({ query, snapshot, clock }) => {
    const jurisdiction = refusing('', () => findJurisdiction(query.pricingCode ?? '', snapshot))
    const date = query.date ?? todayIn(jurisdiction.timeZone, clock())
    const offered = yearOf(date, jurisdiction)?.concessions.filter((concession) => covers(concession, date)) ?? []
    const concessions = offered.map((each) => ({ ...each }))
    return { body: { pricingCode: jurisdiction.pricingCode, concessions }, version: `${snapshot.release} ${date}` }
  },
}
