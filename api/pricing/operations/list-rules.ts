import { listRules as rulesOn } from '#rates/answers/list-rules.ts'
import { asKnown } from '../as-known.ts'
import { checkShowroom } from '../check-showroom.ts'
import type { Operation } from '../operation.ts'
import { refusing } from '../price.ts'

/** `GET /v1/rules`. */
export const listRules: Operation = {
  operationId: 'listRules',
  bodyLimit: 0,
  handle: async (call) => {
    const { client, query } = call
    checkShowroom(query.showroomCode, client, '/query/showroomCode')
    const { snapshot } = await asKnown(call, query.asKnownAt, '/query/asKnownAt')
    const body = refusing('', () => rulesOn(query, snapshot))
    return { body, version: `${snapshot.release} ${query.date ?? ''}` }
  },
}
