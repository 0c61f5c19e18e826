import { PricingFault } from '#rates/engine/answer.ts'
import { priceCurve, type PriceCurve } from '#rates/engine/curve/price-curve.ts'
import { amountsOf, type Amounts } from '#rates/engine/quote/amounts.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { Axis } from './axes.ts'
import { requestOf, type Chosen } from './request.ts'

/** Number of points, one every $100 to $200,000, about the columns of a wide screen; edges are exact whatever the number. */
const POINTS = 2001
/** Curves that are kept: those of one chart, and of the charts that were drawn before it. */
const KEPT = 16

/** A vehicle at one value of a fact: its amounts, or why it has none. */
export interface PricedValue {
  readonly x: number
  readonly amounts: Amounts | PricingFault
}

/** The curve over the price, from nothing to `to` cents; kept, because a dragged price does not change it. */
export function overPrices(chosen: Chosen, to: number, snapshot: Snapshot): PriceCurve {
  const request = requestOf({ ...chosen, value: '0' })
  return kept(`${to} ${JSON.stringify(request)}`, snapshot, () =>
    priceCurve(request, { from: 0, to, points: POINTS }, snapshot),
  )
}

/** The amounts at every whole value of a fact, so that no step between two values is missed; kept as well. */
export function overValues(chosen: Chosen, axis: Axis, snapshot: Snapshot): readonly PricedValue[] {
  const without = Object.fromEntries(Object.entries(chosen).filter(([name]) => name !== axis.name))
  return kept(`${axis.name} ${JSON.stringify(requestOf(without))}`, snapshot, () =>
    axis
      .values(chosen, snapshot)
      .map((x) => ({ x, amounts: attempt({ ...without, [axis.name]: axis.text(x) }, snapshot) })),
  )
}

/** The amounts of a choice, or why it has none. */
export function attempt(chosen: Chosen, snapshot: Snapshot): Amounts | PricingFault {
  try {
    return (
      amountsOf({ ...requestOf(chosen), options: {} }, snapshot) ?? { driveAway: 0, onRoad: new Map(), unpriced: [] }
    )
  } catch (error) {
    if (error instanceof PricingFault) return error
    throw error
  }
}

const known = new WeakMap<Snapshot, Map<string, unknown>>()

/** What was computed for a key of these rates; the one that was asked for longest ago makes room. */
function kept<Of>(key: string, snapshot: Snapshot, compute: () => Of): Of {
  const own = known.get(snapshot) ?? new Map<string, unknown>()
  known.set(snapshot, own)
  const found = own.has(key) ? (own.get(key) as Of) : compute()
  own.delete(key)
  own.set(key, found)
  if (own.size > KEPT) own.delete(own.keys().next().value!)
  return found
}
