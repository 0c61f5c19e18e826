import type { Axis } from './axes.ts'
import type { Curve, Point } from './curves.ts'
import { amount, element, table, text, type Cell } from './element.ts'
import { money } from './words.ts'

/** The amounts on both sides of each cliff of a curve, and the charges that jump. */
export function cliffTable({ name, cliffs }: Curve, axis: Axis, isNamed: boolean): HTMLElement {
  const what = axis.name === 'value' ? 'price' : 'value'
  const headings = [
    amount(`Highest ${what} below`),
    amount('Amount there'),
    amount(`${capital(axis.step)} more`),
    text('What jumps'),
  ]
  const rows = cliffs.map(({ below, jump, causes }): Cell[] => [
    amount(axis.format(below.x)),
    amount(money(below.y)),
    amount(money(jump)),
    text(causes),
  ])
  const caption = `Cliffs: where ${axis.step} more changes the amount by dollars`
  return table(isNamed ? `${name}. ${caption}` : caption, headings, rows)
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The amounts at round values and on both sides of every cliff, with a column for each curve. */
export function valueTable(curves: readonly Curve[], axis: Axis, title: string): HTMLElement {
  const amounts = curves.map(({ points }) => new Map(points.map((point) => [point.x, point])))
  const rows = shownValues(curves, axis).map((x): Cell[] => [
    amount(axis.format(x)),
    ...amounts.map((curve) => amount(shown(curve.get(x)))),
  ])
  const names = curves.length === 1 ? ['Amount'] : curves.map(({ name }) => name)
  const values = table(
    title,
    [amount(axis.name === 'value' ? 'Price' : axis.label), ...names.map((name) => amount(name))],
    rows,
  )
  return element('details', {}, element('summary', {}, 'The values as a table'), values)
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
