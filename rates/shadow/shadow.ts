/**
 * Prices the requests of real clients with the release in force and with a candidate, side by side: what moves, by
 * component, and what of it `diff` does not explain.
 */
import type { QuoteRequest } from '../engine/request.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { isExplained, type Told } from './explained.ts'
import { priceBoth, type Movement, type PricedTwice } from './price-both.ts'

/** A request with its place in the file, from 1. */
export interface LoggedRequest {
  line: number
  request: QuoteRequest
}

/** The request in which a component moves most. */
export interface Largest extends Pick<Movement, 'before' | 'after'> {
  line: number
  request: QuoteRequest
  driveAway: [number | null, number | null]
}

/** What moves in one component of one pricing code; differences in cents, each amount that is missing taken as 0. */
export interface Moved {
  pricingCode: string
  /** As in `Movement`. */
  component: string
  requests: number
  /** Requests for the pricing code. */
  of: number
  least: number
  most: number
  sum: number
  largest: Largest
}

export interface Shadow {
  requests: number
  /** Requests whose answer moves. */
  different: number
  /** What `diff` does not explain, the largest first. */
  unexplained: Moved[]
  /** Everything that moves, the largest first. */
  moved: Moved[]
  /** Lines that are no request that can be priced, with the reason. */
  notPriced: { line: number; why: string }[]
}

export interface Sides {
  current: Snapshot
  candidate: Snapshot
  told: Told
}

/** Prices each request with both releases. */
export function shadow(requests: Iterable<LoggedRequest>, sides: Sides): Shadow {
  const result: Shadow = { requests: 0, different: 0, unexplained: [], moved: [], notPriced: [] }
  const [all, unexplained, counts] = [new Map<string, Moved>(), new Map<string, Moved>(), new Map<string, number>()]
  for (const one of requests) {
    const twice = pricedTwice(one, sides, result)
    if (!twice) continue
    const { pricingCode } = one.request
    counts.set(pricingCode, (counts.get(pricingCode) ?? 0) + 1)
    result.requests += 1
    if (twice.movements.length > 0) result.different += 1
    for (const movement of twice.movements) {
      note(all, one, movement, twice)
      if (!isExplained(movement, twice, codesOf(pricingCode, sides), sides.told))
        note(unexplained, one, movement, twice)
    }
  }
  const counted = (moved: Map<string, Moved>) =>
    [...moved.values()]
      .map((each) => ({ ...each, of: counts.get(each.pricingCode) ?? 0 }))
      .toSorted((a, b) => size(b) - size(a) || (keyOf(a) < keyOf(b) ? -1 : 1))
  return { ...result, unexplained: counted(unexplained), moved: counted(all) }
}

function pricedTwice({ line, request }: LoggedRequest, { current, candidate }: Sides, { notPriced }: Shadow) {
  try {
    return priceBoth(request, current, candidate)
  } catch (error) {
    notPriced.push({ line, why: (error as Error).message })
    return undefined
  }
}

/** The pricing code, and the codes that its sets import on either side. */
function codesOf(pricingCode: string, { current, candidate }: Sides): [string, ...string[]] {
  const own = [...current.specs, ...candidate.specs].filter((spec) => spec.pricingCode === pricingCode)
  return [pricingCode, ...new Set(own.flatMap(({ imports = [] }) => imports))]
}

const keyOf = ({ pricingCode, component }: Pick<Moved, 'pricingCode' | 'component'>) => `${pricingCode} ${component}`

const size = ({ least, most }: Moved): number => Math.max(Math.abs(least), Math.abs(most))

const centsOf = (amount: Movement['before']): number => (typeof amount === 'number' ? amount : 0)

/** Cents by which the answer moves; of an answer that is a quote on one side only, its whole drive-away price. */
const differenceOf = ({ component, before, after }: Movement, { driveAway: [was, is] }: PricedTwice): number =>
  component === 'answer' ? (is ?? 0) - (was ?? 0) : centsOf(after) - centsOf(before)

function note(
  moved: Map<string, Moved>,
  { line, request }: LoggedRequest,
  movement: Movement,
  twice: PricedTwice,
): void {
  const { pricingCode } = request
  const { component, before, after } = movement
  const difference = differenceOf(movement, twice)
  const largest: Largest = { line, request, before, after, driveAway: twice.driveAway }
  const key = keyOf({ pricingCode, component })
  const known = moved.get(key)
  if (!known) {
    const range = { least: difference, most: difference, sum: difference }
    moved.set(key, { pricingCode, component, requests: 1, of: 0, ...range, largest })
    return
  }
  if (Math.abs(difference) > size(known)) known.largest = largest
  known.requests += 1
  known.sum += difference
  known.least = Math.min(known.least, difference)
  known.most = Math.max(known.most, difference)
}
