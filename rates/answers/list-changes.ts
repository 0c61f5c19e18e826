import type { TypedChange } from '../diff/typed-changes.ts'
import { PricingFault } from '../engine/answer.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { findJurisdiction } from './find-jurisdiction.ts'

/**
 * Selects changes: between two ISO dates, both inclusive, of one pricing code or of all; with a page size and a cursor.
 */
export interface ChangesQuery {
  from?: string | undefined
  to?: string | undefined
  pricingCode?: string | undefined
  limit?: number | string | undefined
  cursor?: string | undefined
}

/** The rates that a query is about; `earlier`: those that they are compared with, where the query is about two releases. */
interface Compared {
  snapshot: Snapshot
  earlier?: Snapshot | undefined
}

/** The answer of `GET /v1/changes`. */
export interface ChangesAnswer {
  release: string
  /** The release that `release` is compared with, where the query names one. */
  fromRelease?: string
  changes: TypedChange[]
  nextCursor?: string
}

const USUAL_LIMIT = 200

/** A checked query; `page` selects the page from all changes of the release. */
interface CheckedQuery {
  page(changes: readonly TypedChange[]): ChangesAnswer
}

/** Checks a query before the changes are computed; throws PricingFault. */
export function checkChanges(query: ChangesQuery, { snapshot, earlier }: Compared): CheckedQuery {
  const { pricingCode, limit = USUAL_LIMIT, cursor } = query
  const { from, to } = daysOf(query, earlier !== undefined)
  const codes = pricingCode === undefined ? undefined : codesIn(pricingCode, snapshot, earlier)
  const { release } = snapshot
  const compared = earlier ? `${earlier.release}..${release}` : release
  const start = cursor === undefined ? 0 : positionOf(cursor, compared)
  const isAsked = ({ effectiveDate, ...one }: TypedChange) =>
    from <= effectiveDate && effectiveDate <= to && (codes?.includes(one.pricingCode) ?? true)
  return {
    page: (changes) => {
      const { page, next } = pageOf(changes, start, Number(limit), isAsked)
      const more = next === undefined ? {} : { nextCursor: cursorAt(next, compared) }
      return {
        release,
        ...(earlier && { fromRelease: earlier.release }),
        changes: page.map((one) => ofCodes(one, codes)),
        ...more,
      }
    },
  }
}

/** A change with what follows it in some pricing codes; in all where there are none. */
function ofCodes(change: TypedChange, codes: readonly string[] | undefined): TypedChange {
  const { followedBy, sources, ...rest } = change
  if (!followedBy || !codes) return change
  const own = followedBy.filter(({ pricingCode }) => codes.includes(pricingCode))
  return { ...rest, ...(own.length > 0 && { followedBy: own }), sources }
}

const wrong = (path: string, message: string) => new PricingFault('bad_request', path, message)

// As ISO dates: before and after every published day.
const FIRST_DAY = '0000-01-01'
const LAST_DAY = '9999-12-31'

/** The first and the last day of a query; between two releases, every day where the query names none. */
function daysOf(query: ChangesQuery, isBetween: boolean): { from: string; to: string } {
  for (const name of ['from', 'to'] as const) {
    if (query[name] === undefined && !isBetween)
      throw wrong(`/query/${name}`, `${name} is required without fromRelease.`)
  }
  const { from = FIRST_DAY, to = LAST_DAY } = query
  if (to < from) throw wrong('/query/to', `to, ${to}, is before from, ${from}.`)
  return { from, to }
}

/** The codes of a query; a jurisdiction that only the earlier of two releases has is known too. */
function codesIn(pricingCode: string, snapshot: Snapshot, earlier: Snapshot | undefined): string[] {
  const isOfEarlier = earlier?.specs.some((spec) => spec.pricingCode === pricingCode)
  const isGone = !snapshot.specs.some((spec) => spec.pricingCode === pricingCode)
  return codesOf(pricingCode, isGone && isOfEarlier ? earlier! : snapshot)
}

/** A pricing code, and the codes of the sets that it imports; throws INVALID_PRICING_CODE. */
function codesOf(pricingCode: string, snapshot: Snapshot): string[] {
  const known = findJurisdiction(pricingCode, snapshot).pricingCode
  const own = snapshot.specs.filter((spec) => spec.pricingCode === known)
  return [known, ...own.flatMap(({ imports }) => imports ?? [])]
}

/**
 * The page of changes from a position on; `next` is the position of the first change after the page, if there is one.
 */
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

// A cursor is a position among all changes of one release, or between two, so its meaning stays the same as long as
// these exist.
const cursorAt = (position: number, release: string): string =>
  btoa(`${position} ${release}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

function positionOf(cursor: string, release: string): number {
  const [position = '', ofRelease] = decoded(cursor).split(' ')
  if (!/^\d{1,9}$/.test(position) || ofRelease === undefined)
    throw wrong('/query/cursor', 'cursor was not issued by this API.')
  if (ofRelease === release) return Number(position)
  throw wrong(
    '/query/cursor',
    'The rates have changed since this cursor was issued; repeat the request without the cursor.',
  )
}

function decoded(cursor: string): string {
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}
