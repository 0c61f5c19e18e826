import type { Operation } from '../operation.ts'
import { feedOf } from '../releases-feed.ts'

/** `GET /v1/releases.atom`. */
export const getReleasesFeed: Operation = {
  operationId: 'getReleasesFeed',
  bodyLimit: 0,
  handle: ({ releases, rates, issuer }) => {
    const body = feedOf(releases.list(rates), issuer)
    return { body, version: body, type: 'application/atom+xml; charset=utf-8' }
  },
}
