import { checkJurisdictions } from '#rates/answers/list-jurisdictions.ts'
import { asKnown } from '../as-known.ts'
import type { Operation } from '../operation.ts'
import { refusing } from '../price.ts'

/** `GET /v1/jurisdictions`. */
export const listJurisdictions: Operation = {
  operationId: 'listJurisdictions',
  bodyLimit: 0,
  handle: async (call) => {
    const { query, reportOf } = call
    const { pricingCode, date, asKnownAt } = query
    const { snapshot } = await asKnown(call, asKnownAt, '/query/asKnownAt')
    const checked = refusing('', () => checkJurisdictions(query, snapshot))
    const { jurisdictions } = await reportOf(snapshot)
    return { body: checked.select(jurisdictions), version: `${snapshot.release} ${pricingCode ?? ''} ${date ?? ''}` }
  },
}
