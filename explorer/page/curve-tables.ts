import type { Axis } from './axes.ts'
import type { Curve, Point } from './curves.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { amount, element, table, text, type Cell } from './element.ts'
import { fold } from './fold.ts'
import { lawOfJump, type Side } from './how.ts'
import { hashOf, type Chosen } from './request.ts'
import { money, words } from './words.ts'

/** A curve with what it was made of. */
export interface DrawnCurve extends Curve {
  readonly chosen: Chosen
  readonly snapshot: Snapshot
}

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
  const sideOf = ({ x }: Point): Side => ({ label: `At ${axis.format(x)}`, chosen: at(chosen, axis, x) })
  const rows = cliffs.map(({ below, above, jump, causes }): Cell[] => {
    const sides = [sideOf(below), sideOf(above)]
    const jumps = causes.map(({ component, by }) =>
      fold(`${words(component)} ${money(by)}`, () => lawOfJump(component, sides, snapshot)),
    )
    return [
      amount(element('a', { href: hashOf(at(chosen, axis, below.x)) }, axis.format(below.x))),
      amount(money(jump)),
      text(...jumps),
      amount(money(below.y)),
    ]
  })
  const caption = `Cliffs: where ${axis.step} more changes the amount by dollars`
  return table(isNamed ? `${name}. ${caption}` : caption, headings, rows)
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
