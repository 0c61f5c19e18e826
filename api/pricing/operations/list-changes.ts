import { checkChanges } from '#rates/answers/list-changes.ts'
import { asKnown } from '../as-known.ts'
import type { Operation } from '../operation.ts'
import { refusing } from '../price.ts'

/** `GET /v1/changes`. */
export const listChanges: Operation = {
  operationId: 'listChanges',
  bodyLimit: 0,
  handle: async (call) => {
    const { query, reportOf } = call
    const { snapshot } = await asKnown(call, query.asKnownAt, '/query/asKnownAt')
    const { from, to, pricingCode, limit, cursor } = query
    const checked = refusing('', () => checkChanges(query, snapshot))
    const { changes } = await reportOf(snapshot)
    const version = [snapshot.release, from, to, pricingCode, limit, cursor].join(' ')
    return { body: checked.page(changes), version }
  },
}
