import type { Axis } from './axes.ts'
import type { Cliff, Curve, Point } from './curves.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { amount, element, table, text, type Cell } from './element.ts'
import { explained, howOfJump, type Side } from './how.ts'
import { hashOf, type Chosen } from './request.ts'
import { money, words } from './words.ts'

/** A curve with what it was made of. */
export interface DrawnCurve extends Curve {
  readonly chosen: Chosen
  readonly snapshot: Snapshot
}

/** Rules are shown for so many cliffs: each takes a quote. */
const EXPLAINED = 40

/** The amounts on both sides of each cliff of a curve, and the charges that jump. */
export function cliffTable(curve: DrawnCurve, axis: Axis, isNamed: boolean): HTMLElement {
  const { name, cliffs, chosen, snapshot } = curve
  const what = axis.name === 'value' ? 'price' : 'value'
  const headings = [
    amount(`Highest ${what} below`),
    amount(`${capital(axis.step)} more costs`),
    text('What jumps, and which law'),
    amount('Amount below'),
  ]
  const sideOf = (label: string, { x }: Point): Side => ({ label, priced: explained(at(chosen, axis, x), snapshot) })
  const sidesOf = ({ below, above }: Cliff) => [
    sideOf(`At ${axis.format(below.x)}`, below),
    sideOf(`At ${axis.format(above.x)}`, above),
  ]
  const rows = cliffs.map((cliff, index): Cell[] => {
    const { below, jump } = cliff
    return [
      amount(element('a', { href: hashOf(at(chosen, axis, below.x)) }, axis.format(below.x))),
      amount(money(jump)),
      text(...jumpsOf(cliff, index < EXPLAINED ? sidesOf(cliff) : [])),
      amount(money(below.y)),
    ]
  })
  const caption = `Cliffs: where ${axis.step} more changes the amount by dollars`
  return table(isNamed ? `${name}. ${caption}` : caption, headings, rows)
}

/** What jumps at a cliff, unfolded to what the law says on both sides. */
function jumpsOf({ causes }: Cliff, sides: readonly Side[]): HTMLElement[] {
  return causes.map(({ component, by }) => {
    const heading = `${words(component)} ${money(by)}`
    return sides.length > 0 ? howOfJump(heading, component, sides) : element('div', {}, heading)
  })
}

/** The price view of the choice at another value of the axis. */
const at = (chosen: Chosen, axis: Axis, x: number): Chosen => ({ ...chosen, view: 'price', [axis.name]: axis.text(x) })

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The amounts at round values and on both sides of every cliff, with a column for each curve. */
export function valueTable(
  curves: readonly Curve[],
  axis: Axis,
  { title, chosen }: { title: string; chosen: Chosen },
): HTMLElement {
  const amounts = curves.map(({ points }) => new Map(points.map((point) => [point.x, point])))
  const rows = shownValues(curves, axis).map((x): Cell[] => [
    amount(element('a', { href: hashOf(at(chosen, axis, x)) }, axis.format(x))),
    ...amounts.map((curve) => amount(shown(curve.get(x)))),
  ])
  const names = curves.length === 1 ? ['Amount'] : curves.map(({ name }) => name)
  const values = table(
    title,
    [amount(axis.name === 'value' ? 'Price' : axis.label), ...names.map((name) => amount(name))],
    rows,
  )
  return element('details', { class: 'values' }, element('summary', {}, 'The values as a table'), values)
}

/** Empty for a value that only another curve has. */
const shown = (point: Point | undefined): string => {
  if (point === undefined) return '–'
  return point.y === null ? 'no price' : money(point.y)
}

/** About twenty round values of the axis, and both sides of each cliff. */
function shownValues(curves: readonly Curve[], axis: Axis): number[] {
  const values = new Set(curves.flatMap(({ points }) => points.map(({ x }) => x)))
  const sides = curves.flatMap(({ cliffs }) => cliffs.flatMap(({ below, above }) => [below.x, above.x]))
  const every = axis.name === 'value' ? 10_000_00 : Math.max(1, Math.round(values.size / 20 / 5) * 5)
  const round = [...values].filter((x) => x % every === 0)
  return [...new Set([...round, ...sides])].sort((a, b) => a - b)
}
