import type { TypedChange } from '#rates/diff/typed-changes.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { ApiError } from '../../errors.ts'
import { findJurisdiction } from '../find-jurisdiction.ts'
import type { Operation } from '../operation.ts'

const USUAL_LIMIT = 200

/** `GET /v1/changes`. */
export const listChanges: Operation = {
  operationId: 'listChanges',
  bodyLimit: 0,
  handle: async ({ query, snapshot, reportOf }) => {
    const { from = '', to = '', pricingCode, limit = USUAL_LIMIT, cursor } = query
    if (to < from) throw wrong('/query/to', `to, ${to}, is before from, ${from}.`)
    const codes = pricingCode === undefined ? undefined : codesOf(pricingCode, snapshot)
    const start = cursor === undefined ? 0 : positionOf(cursor, snapshot.release)
    const { changes } = await reportOf(snapshot)
    const isAsked = ({ effectiveDate, ...one }: TypedChange) =>
      from <= effectiveDate && effectiveDate <= to && (codes?.includes(one.pricingCode) ?? true)
    const { page, next } = pageOf(changes, start, Number(limit), isAsked)
    const more = next === undefined ? {} : { nextCursor: cursorAt(next, snapshot.release) }
    const version = [snapshot.release, from, to, pricingCode, limit, cursor].join(' ')
    return { body: { release: snapshot.release, changes: page, ...more }, version }
  },
}

function wrong(path: string, message: string): ApiError {
  return new ApiError('bad_request', message, { errors: [{ path, message, errorCode: 'bad_request' }] })
}

/** A pricing code with those of the sets that it imports; throws INVALID_PRICING_CODE. */
function codesOf(pricingCode: string, snapshot: Snapshot): string[] {
  const known = findJurisdiction(pricingCode, snapshot).pricingCode
  const own = snapshot.specs.filter((spec) => spec.pricingCode === known)
  return [known, ...own.flatMap(({ imports }) => imports ?? [])]
}

/** So many changes from a position on; `next` is the position of the first one after them, where there is one. */
function pageOf(
  changes: readonly TypedChange[],
  start: number,
  limit: number,
  isAsked: (change: TypedChange) => boolean,
): { page: TypedChange[]; next: number | undefined } {
  const page: TypedChange[] = []
  for (let at = start; at < changes.length; at++) {
    if (!isAsked(changes[at]!)) continue
    if (page.length === limit) return { page, next: at }
    page.push(changes[at]!)
  }
  return { page, next: undefined }
}

// A cursor is a position in all changes of one release, so that it means the same as long as that release does.
const cursorAt = (position: number, release: string): string =>
  Buffer.from(`${position} ${release}`).toString('base64url')

function positionOf(cursor: string, release: string): number {
  const [position = '', ofRelease] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!/^\d{1,9}$/.test(position) || ofRelease === undefined) throw wrong('/query/cursor', 'cursor was not issued by this API.')
  if (ofRelease === release) return Number(position)
  throw wrong('/query/cursor', 'The rates have changed since this cursor was issued; repeat the request without the cursor.')
}
