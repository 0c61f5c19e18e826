import { checkJurisdictions } from '#rates/answers/list-jurisdictions.ts'
import type { Operation } from '../operation.ts'
import { refusing } from '../price.ts'

/** `GET /v1/jurisdictions`. */
export const listJurisdictions: Operation = {
  operationId: 'listJurisdictions',
  bodyLimit: 0,
  handle: async ({ query, snapshot, reportOf }) => {
    const { pricingCode, date } = query
    const checked = refusing('', () => checkJurisdictions(query, snapshot))
    const { jurisdictions } = await reportOf(snapshot)
    return { body: checked.select(jurisdictions), version: `${snapshot.release} ${pricingCode ?? ''} ${date ?? ''}` }
  },
}
