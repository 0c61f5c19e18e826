import { PricingFault, type Quote } from '#rates/engine/answer.ts'
import { priceCurve, type CurvePoint, type PriceCurve } from '#rates/engine/curve/price-curve.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { Axis } from './axes.ts'
import { requestOf, type Chosen } from './request.ts'
import { money, words } from './words.ts'

/** Number of points, about the columns of a wide screen; edges are exact whatever the number. */
const POINTS = 2000
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
  /** The components that jump, each with the size of its jump. */
  readonly causes: string
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

function overPrice(chosen: Chosen, component: string, snapshot: Snapshot): Omit<Curve, 'name'> {
  const request = requestOf(chosen)
  const price = request.pricingInputs.dutiable[0]?.value ?? 0
  const to = Math.max(200_000_00, Math.ceil((price * 1.25) / 1_000_00) * 1_000_00)
  const curve = priceCurve(request, { from: 0, to, points: POINTS }, snapshot)
  const pointOf = (at: CurvePoint): Point & { y: number } => ({
    x: at.value,
    y: component === '' ? at.driveAway : of(amountsOf(curve, at), component),
  })
  const cliffs = curve.edges.map((edge): Cliff => {
    const [below, above] = [pointOf(edge.below), pointOf(edge.above)]
    return {
      below,
      above,
      jump: above.y - below.y,
      causes: causesOf(amountsOf(curve, edge.below), amountsOf(curve, edge.above)),
    }
  })
  return {
    points: curve.points.map((at) => (at.fault ? { x: at.value, y: null } : pointOf(at))),
    cliffs: cliffs.filter(isCliff),
    unreached: component === '' ? curve.unreached.filter(({ from, to: end }) => end - from >= LEAST_CLIFF) : [],
    unpriced: unpricedIn([attempt(chosen, snapshot)]),
  }
}

/** Prices every whole value of the fact, so that no step between two values is missed. */
function overFact(chosen: Chosen, { axis, component }: Drawing, snapshot: Snapshot): Omit<Curve, 'name' | 'unreached'> {
  let fault: PricingFault | undefined
  const priced = axis.values(chosen, snapshot).map((x) => {
    const at = attempt({ ...chosen, [axis.name]: axis.text(x) }, snapshot)
    if (at instanceof PricingFault) fault ??= at
    return { x, quote: at instanceof PricingFault ? null : at }
  })
  if (fault && priced.every((one) => one.quote === null)) throw fault
  const points = priced.map(({ x, quote: at }): Point => ({ x, y: at && amountOf(at, component) }))
  const cliffs = points.slice(1).flatMap((above, index): Cliff[] => {
    const below = points[index]!
    if (above.y === null || below.y === null) return []
    const [before, after] = [priced[index]!.quote!, priced[index + 1]!.quote!].map(linesOf) as [Amounts, Amounts]
    const [from, to] = [
      { ...below, y: below.y },
      { ...above, y: above.y },
    ]
    return [{ below: from, above: to, jump: to.y - from.y, causes: causesOf(before, after) }]
  })
  return { points, cliffs: cliffs.filter(isCliff), unpriced: unpricedIn(priced.map((one) => one.quote)) }
}

function attempt(chosen: Chosen, snapshot: Snapshot): Quote | PricingFault {
  try {
    return quote({ ...requestOf(chosen), options: {} }, snapshot)
  } catch (error) {
    if (error instanceof PricingFault) return error
    throw error
  }
}

const unpricedIn = (quotes: readonly (Quote | PricingFault | null)[]): string[] => [
  ...new Set(
    quotes.flatMap((at) =>
      at === null || at instanceof PricingFault ? [] : at.metadata.unpriced.map((each) => each.component),
    ),
  ),
]

const isCliff = ({ jump }: Cliff) => Math.abs(jump) >= LEAST_CLIFF

const amountOf = ({ totals, categories }: Quote, component: string): number =>
  component === '' ? totals.driveAway : of(linesOf({ categories }), component)

type Amounts = ReadonlyMap<string, number>

const of = (amounts: Amounts, component: string): number =>
  component === ON_ROAD ? [...amounts.values()].reduce((sum, each) => sum + each, 0) : (amounts.get(component) ?? 0)

const linesOf = ({ categories }: Pick<Quote, 'categories'>): Amounts =>
  new Map(categories.onRoad.map(({ component, value }) => [component, value]))

const amountsOf = ({ components }: PriceCurve, { cents }: CurvePoint): Amounts =>
  new Map(components.map((name, slot) => [name, cents[slot] ?? 0]))

/** The components that differ by more than a dollar. */
function causesOf(before: Amounts, after: Amounts): string {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, by: (after.get(name) ?? 0) - (before.get(name) ?? 0) }))
    .filter(({ by }) => Math.abs(by) > 1_00)
    .map(({ name, by }) => `${words(name)} ${money(by)}`)
    .join(', ')
}
