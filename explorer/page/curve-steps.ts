import { differenceOf, type Charges } from './charge.ts'

/** Least height of a cliff in cents; below it, the steps of a charge "per $200 or part" would hide the cliffs. */
export const LEAST_CLIFF = 20_00

/** An amount in cents at a value of an axis; null when what is drawn has no price. */
export interface Point {
  readonly x: number
  readonly y: number | null
  /** The components that are due but have no price; the amount excludes them. */
  readonly unpriced: readonly string[]
}

/** Two neighbouring values of the axis whose amounts differ by dollars. */
export interface Cliff {
  readonly below: Point & { readonly y: number }
  readonly above: Point & { readonly y: number }
  readonly jump: number
  /** The components that jump by more than a dollar, each with the size of its jump in cents. */
  readonly causes: readonly Cause[]
}

interface Cause {
  readonly component: string
  readonly by: number
}

/** Two neighbouring values that cannot be compared: a component has a price on one side only. */
export interface Break {
  readonly below: Point
  readonly above: Point
  /** The components with a price on one side only. */
  readonly components: readonly string[]
  /** Those that jump and have a price on both sides. */
  readonly causes: readonly Cause[]
}

/** A point with the charges of the vehicle there, which only few points are asked for. */
export interface Valued {
  readonly point: Point
  readonly charges: () => Charges
}

/** The cliffs and the breaks between neighbours; where a side is refused, there is neither. */
export function stepsOf(neighbours: readonly (readonly [Valued, Valued])[]): { cliffs: Cliff[]; breaks: Break[] } {
  const cliffs: Cliff[] = []
  const breaks: Break[] = []
  for (const [low, high] of neighbours) {
    const [below, above] = [low.point, high.point]
    if (isRefused(below) || isRefused(above)) continue
    const components = onOneSide(below.unpriced, above.unpriced)
    const causes = () => causesOf(low.charges(), high.charges())
    if (components.length > 0) breaks.push({ below, above, components, causes: causes() })
    else if (isPriced(below) && isPriced(above) && Math.abs(above.y - below.y) >= LEAST_CLIFF)
      cliffs.push({ below, above, jump: above.y - below.y, causes: causes() })
  }
  return { cliffs, breaks }
}

/** Whether a point has an amount. */
export const isPriced = (point: Point): point is Point & { y: number } => point.y !== null

const isRefused = ({ y, unpriced }: Point) => y === null && unpriced.length === 0

const onOneSide = (one: readonly string[], other: readonly string[]): string[] =>
  one === other ? [] : [...one.filter((name) => !other.includes(name)), ...other.filter((name) => !one.includes(name))]

const causesOf = (before: Charges, after: Charges): Cause[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((component) => {
    const by = differenceOf(before.get(component) ?? null, after.get(component) ?? null)
    return by !== null && Math.abs(by) > 1_00 ? [{ component, by }] : []
  })
