import { PricingFault } from '#rates/engine/answer.ts'
import type { CurvePoint, PriceCurve } from '#rates/engine/curve/price-curve.ts'
import type { Amounts } from '#rates/engine/quote/amounts.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { Axis } from './axes.ts'
import { attempt, overPrices, overValues } from './priced-curves.ts'
import { requestOf, type Chosen } from './request.ts'

/** Least height of a cliff in cents; below it, the steps of a charge "per $200 or part" would hide the cliffs. */
const LEAST_CLIFF = 20_00

/** An amount in cents at a value of an axis; null when the vehicle has no price. */
export interface Point {
  readonly x: number
  readonly y: number | null
}

/** Two neighbouring values of the axis whose amounts differ by dollars. */
export interface Cliff {
  readonly below: Point & { readonly y: number }
  readonly above: Point & { readonly y: number }
  readonly jump: number
  /** The components that jump by more than a dollar, each with the size of its jump in cents. */
  readonly causes: readonly { readonly component: string; readonly by: number }[]
}

/** One curve of a chart. */
export interface Curve {
  readonly name: string
  readonly points: readonly Point[]
  readonly cliffs: readonly Cliff[]
  /** Drive-away totals that no price of the vehicle produces; cents, both bounds inclusive. */
  readonly unreached: readonly { from: number; to: number }[]
  /** Components that are due but have no price at some value; the curve excludes them. */
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
  return { x: axis.valueOf(text), y: amountOf(amounts, component) }
}

function overPrice(chosen: Chosen, component: string, snapshot: Snapshot): Omit<Curve, 'name'> {
  const curve = overPrices(chosen, highestPrice(chosen), snapshot)
  const drawn = (at: CurvePoint): Point & { y: number } => ({
    x: at.value,
    y: component === '' ? at.driveAway : of(linesAt(curve, at), component),
  })
  const cliffs = curve.edges.map((edge): Cliff => {
    const [below, above] = [drawn(edge.below), drawn(edge.above)]
    return {
      below,
      above,
      jump: above.y - below.y,
      causes: causesOf(linesAt(curve, edge.below), linesAt(curve, edge.above)),
    }
  })
  const now = attempt(chosen, snapshot)
  return {
    points: curve.points.map((at) => (at.fault ? { x: at.value, y: null } : drawn(at))),
    cliffs: cliffs.filter(isCliff),
    unreached: component === '' ? curve.unreached.filter(({ from, to: end }) => end - from >= LEAST_CLIFF) : [],
    unpriced: now instanceof PricingFault ? [] : now.unpriced,
  }
}

/** The end of the axis in cents: $200,000, or a quarter above a price that is higher. */
export function highestPrice(chosen: Chosen): number {
  const price = requestOf(chosen).pricingInputs.dutiable[0]?.value ?? 0
  return Math.max(200_000_00, Math.ceil((price * 1.25) / 1_000_00) * 1_000_00)
}

function overFact(chosen: Chosen, { axis, component }: Drawing, snapshot: Snapshot): Omit<Curve, 'name' | 'unreached'> {
  const priced = overValues(chosen, axis, snapshot)
  const amounts = priced.map((one) => (one.amounts instanceof PricingFault ? null : one.amounts))
  const fault = priced.find((one) => one.amounts instanceof PricingFault)?.amounts
  if (fault && amounts.every((one) => one === null)) throw fault as PricingFault
  const points = priced.map(({ x }, index): Point => ({ x, y: amountOf(amounts[index]!, component) }))
  const cliffs = points.slice(1).flatMap((above, index): Cliff[] => {
    const below = points[index]!
    if (above.y === null || below.y === null) return []
    const causes = () => causesOf(amounts[index]!.onRoad, amounts[index + 1]!.onRoad)
    const cliff = { below: { x: below.x, y: below.y }, above: { x: above.x, y: above.y }, jump: above.y - below.y }
    return isCliff(cliff) ? [{ ...cliff, causes: causes() }] : []
  })
  return { points, cliffs, unpriced: [...new Set(amounts.flatMap((one) => one?.unpriced ?? []))] }
}

const isCliff = ({ jump }: Pick<Cliff, 'jump'>) => Math.abs(jump) >= LEAST_CLIFF

const amountOf = (amounts: Amounts | null, component: string): number | null => {
  if (amounts === null) return null
  return component === '' ? amounts.driveAway : of(amounts.onRoad, component)
}

type Lines = ReadonlyMap<string, number>

const of = (lines: Lines, component: string): number =>
  component === ON_ROAD ? [...lines.values()].reduce((sum, each) => sum + each, 0) : (lines.get(component) ?? 0)

const linesAt = ({ components }: PriceCurve, { cents }: CurvePoint): Lines =>
  new Map(components.map((name, slot) => [name, cents[slot] ?? 0]))

const causesOf = (before: Lines, after: Lines): Cliff['causes'] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((component) => ({ component, by: (after.get(component) ?? 0) - (before.get(component) ?? 0) }))
    .filter(({ by }) => Math.abs(by) > 1_00)
