import { listRules as rulesOn } from '#rates/answers/list-rules.ts'
import { checkShowroom } from '../check-showroom.ts'
import type { Operation } from '../operation.ts'
import { refusing } from '../price.ts'

/** `GET /v1/rules`. */
export const listRules: Operation = {
  operationId: 'listRules',
  bodyLimit: 0,
  handle: ({ client, query, snapshot }) => {
    checkShowroom(query.showroomCode, client, '/query/showroomCode')
    const body = refusing('', () => rulesOn(query, snapshot))
    return { body, version: `${snapshot.release} ${query.date ?? ''}` }
  },
}
