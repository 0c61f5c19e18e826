import { PricingFault } from '#rates/engine/answer.ts'
import type { CurvePoint, PriceCurve } from '#rates/engine/curve/price-curve.ts'
import type { Amounts } from '#rates/engine/quote/amounts.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { Axis } from './axes.ts'
import { chargesOf } from './charge.ts'
import { LEAST_CLIFF, stepsOf, type Break, type Cliff, type Point, type Valued } from './curve-steps.ts'
import { attempt, overPrices, overValues } from './priced-curves.ts'
import { requestOf, type Chosen } from './request.ts'

/** One curve of a chart. */
export interface Curve {
  readonly name: string
  readonly points: readonly Point[]
  readonly cliffs: readonly Cliff[]
  readonly breaks: readonly Break[]
  /** Drive-away totals that no price of the vehicle produces; cents, both bounds inclusive. */
  readonly unreached: readonly { from: number; to: number }[]
  /** Those that have no price at some value. */
  readonly unpriced: readonly string[]
}

/** The choice of all on-road charges together, offered beside the components. */
export const ON_ROAD = 'onRoad'

/** What to draw: the drive-away price, all on-road charges, or one component; and over which axis. */
export interface Drawing {
  axis: Axis
  /** Empty for the drive-away price. */
  component: string
}

/** The curve of one choice. Throws PricingFault when the vehicle has no price at all. */
export function curveOf(name: string, chosen: Chosen, { axis, component }: Drawing, snapshot: Snapshot): Curve {
  return axis.name === 'value'
    ? { name, ...overPrice(chosen, component, snapshot) }
    : { name, unreached: [], ...overFact(chosen, { axis, component }, snapshot) }
}

/** The amount of the choice itself at its value of the axis; undefined where it has no value or no price. */
export function pointOf(chosen: Chosen, { axis, component }: Drawing, snapshot: Snapshot): Point | undefined {
  const text = chosen[axis.name] ?? ''
  const amounts = text === '' ? undefined : attempt(chosen, snapshot)
  if (!amounts || amounts instanceof PricingFault) return undefined
  return pointAt(axis.valueOf(text), amounts, component)
}

function overPrice(chosen: Chosen, component: string, snapshot: Snapshot): Omit<Curve, 'name'> {
  const curve = overPrices(chosen, highestPrice(chosen), snapshot)
  const drawn = (at: CurvePoint): Point => {
    if (at.fault) return { x: at.value, y: null, unpriced: NONE }
    // The amounts of thousands of points are not collected for one that the curve has already.
    if (component === '') return { x: at.value, y: at.driveAway, unpriced: unpricedAt(curve, at) }
    return pointAt(at.value, amountsAt(curve, at), component)
  }
  const valued = (at: CurvePoint): Valued => ({ point: drawn(at), charges: () => chargesOf(amountsAt(curve, at)) })
  const points = curve.points.map(drawn)
  const { cliffs, breaks } = stepsOf(curve.edges.map(({ below, above }) => [valued(below), valued(above)]))
  // Beside a break, the amounts that are not reached may be those of the charge without a price.
  const isShaded = component === '' && breaks.length === 0
  const unreached = isShaded ? curve.unreached.filter(({ from, to: end }) => end - from >= LEAST_CLIFF) : []
  return { points, cliffs, breaks, unreached, unpriced: unpricedOf(points) }
}

/** The end of the axis in cents: $200,000, or a quarter above a price that is higher. */
export function highestPrice(chosen: Chosen): number {
  const price = requestOf(chosen).pricingInputs.dutiable[0]?.value ?? 0
  return Math.max(200_000_00, Math.ceil((price * 1.25) / 1_000_00) * 1_000_00)
}

function overFact(chosen: Chosen, { axis, component }: Drawing, snapshot: Snapshot): Omit<Curve, 'name' | 'unreached'> {
  const priced = overValues(chosen, axis, snapshot)
  const fault = priced.find(({ amounts }) => amounts instanceof PricingFault)?.amounts
  if (fault && priced.every(({ amounts }) => amounts instanceof PricingFault)) throw fault as PricingFault
  const values = priced.map(({ x, amounts }): Valued => {
    if (amounts instanceof PricingFault) return { point: { x, y: null, unpriced: NONE }, charges: () => new Map() }
    return { point: pointAt(x, amounts, component), charges: () => chargesOf(amounts) }
  })
  const points = values.map(({ point }) => point)
  const neighbours = values.slice(1).map((above, index): [Valued, Valued] => [values[index]!, above])
  return { points, ...stepsOf(neighbours), unpriced: unpricedOf(points) }
}

const NONE: readonly string[] = []

const unpricedOf = (points: readonly Point[]): string[] => [...new Set(points.flatMap(({ unpriced }) => unpriced))]

/** What is drawn of a vehicle's amounts at a value of the axis. */
function pointAt(x: number, { driveAway, onRoad, unpriced }: Amounts, component: string): Point {
  if (component === '') return { x, y: driveAway, unpriced }
  if (component === ON_ROAD) return { x, y: [...onRoad.values()].reduce((sum, each) => sum + each, 0), unpriced }
  return unpriced.includes(component)
    ? { x, y: null, unpriced: [component] }
    : { x, y: onRoad.get(component) ?? 0, unpriced: NONE }
}

const amountsAt = (curve: PriceCurve, at: CurvePoint): Amounts => ({
  driveAway: at.driveAway,
  onRoad: new Map(curve.components.map((name, slot) => [name, at.cents[slot] ?? 0])),
  unpriced: unpricedAt(curve, at),
})

const unpricedAt = ({ components }: PriceCurve, { unpriced }: CurvePoint): readonly string[] =>
  unpriced.some((each) => each !== undefined) ? components.filter((_, slot) => unpriced[slot] !== undefined) : NONE
