import type { Axis } from './axes.ts'
import type { NamedChoice } from './compared.ts'
import type { Break, Cliff, Point } from './curve-steps.ts'
import { pointOf, type Curve, type Drawing } from './curves.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { amount, element, table, text, type Cell } from './element.ts'
import { fold } from './fold.ts'
import { lawOfJump, type Side } from './how.ts'
import { hashOf, type Chosen } from './request.ts'
import type { Rows } from './save.ts'
import { money, words } from './words.ts'

/** A curve with what it was made of. */
export interface DrawnCurve extends Curve {
  readonly chosen: Chosen
  readonly snapshot: Snapshot
  readonly rates: NamedChoice['rates']
}

/** The cliffs and the breaks of a curve: a table for each, or none where there is none. */
export const stepTables = (curve: DrawnCurve, axis: Axis, isNamed: boolean): HTMLElement[] => [
  ...(curve.cliffs.length > 0 ? [cliffTable(curve, axis, isNamed)] : []),
  ...(curve.breaks.length > 0 ? [breakTable(curve, axis, isNamed)] : []),
]

/** The amounts on both sides of each cliff of a curve, and the charges that jump. */
function cliffTable(curve: DrawnCurve, axis: Axis, isNamed: boolean): HTMLElement {
  const { name, cliffs } = curve
  const headings = [
    amount(belowOf(axis)),
    amount(`${capital(axis.step)} more costs`),
    text('What jumps, and which law'),
    amount(axis.name === 'startDate' ? 'Amount before' : 'Amount below'),
  ]
  const rows = cliffs.map((cliff): Cell[] => [
    amount(priceLink(curve, axis, cliff.below.x)),
    amount(money(cliff.jump)),
    text(...jumpsOf(cliff, curve, axis)),
    amount(money(cliff.below.y)),
  ])
  const caption = `Cliffs: where ${axis.step} more changes the amount by dollars`
  return table(isNamed ? `${name}. ${caption}` : caption, headings, rows)
}

function belowOf({ name }: Axis): string {
  if (name === 'startDate') return 'Last day before'
  return name === 'value' ? 'Highest price below' : 'Highest value below'
}

/** The neighbouring values that cannot be compared, with the charges that have a price on one side only. */
function breakTable(curve: DrawnCurve, axis: Axis, isNamed: boolean): HTMLElement {
  const headings = [amount('From'), text('Which charge, and which law'), text('What else jumps')]
  const rows = curve.breaks.map((each): Cell[] => {
    const { above, components } = each
    const named = components.map((component) => {
      const heading = `${words(component)}: ${above.unpriced.includes(component) ? 'no price from here' : 'no price before'}`
      return lawFold(heading, component, each, { curve, axis })
    })
    return [amount(priceLink(curve, axis, above.x)), text(...named), text(...jumpsOf(each, curve, axis))]
  })
  const caption = 'Breaks: where a charge has a price on one side only'
  return table(isNamed ? `${curve.name}. ${caption}` : caption, headings, rows)
}

/** The components that jump, each with its law on both sides. */
const jumpsOf = (step: Step & Pick<Cliff, 'causes'>, curve: DrawnCurve, axis: Axis): HTMLElement[] =>
  step.causes.map(({ component, by }) => lawFold(`${words(component)} ${money(by)}`, component, step, { curve, axis }))

type Step = Pick<Break, 'below' | 'above'>

function lawFold(
  heading: string,
  component: string,
  { below, above }: Step,
  { curve: { chosen, snapshot }, axis }: { curve: DrawnCurve; axis: Axis },
): HTMLElement {
  const sideOf = ({ x }: Point): Side => ({ label: `At ${axis.format(x)}`, chosen: at(chosen, axis, x), snapshot })
  return fold(heading, () => lawOfJump(component, [sideOf(below), sideOf(above)]))
}

/** A value of the axis, with a link to the price there; of other rates without one, because the price view has the page's own. */
const priceLink = (curve: DrawnCurve | undefined, axis: Axis, x: number): HTMLElement | string =>
  curve?.rates === 'own' ? element('a', { href: hashOf(at(curve.chosen, axis, x)) }, axis.format(x)) : axis.format(x)

/** The price view of the choice at another value of the axis. */
const at = (chosen: Chosen, axis: Axis, x: number): Chosen => ({ ...chosen, view: 'price', [axis.name]: axis.text(x) })

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The amounts at round values and on both sides of every cliff and break, with a column for each curve. */
export function valueTable(curves: readonly DrawnCurve[], drawing: Drawing, title: string): HTMLElement {
  const { axis } = drawing
  const linked = curves.find(({ rates }) => rates === 'own')
  const amounts = curves.map(({ points, breaks, chosen, snapshot }) => {
    const drawn = byValue(points)
    // A value at which only another curve has a step is priced for the table.
    const pointAt = (x: number) => drawn.get(x) ?? pointOf(at(chosen, axis, x), drawing, snapshot)
    return { pointAt, isMarked: breaks.length > 0 }
  })
  const rows = shownValues(curves, axis).map((x): Cell[] => [
    amount(priceLink(linked, axis, x)),
    ...amounts.map(({ pointAt, isMarked }) => amount(shown(pointAt(x), isMarked))),
  ])
  const names = curves.length === 1 ? ['Amount'] : curves.map(({ name }) => name)
  const values = table(
    title,
    [amount(axis.name === 'value' ? 'Price' : axis.label), ...names.map((name) => amount(name))],
    rows,
  )
  return element('details', { class: 'values' }, element('summary', {}, 'The values as a table'), values)
}

const byValue = (points: readonly Point[]) => new Map(points.map((point) => [point.x, point]))

/** An amount without a charge that others have is marked. */
const shown = (point: Point | undefined, isMarked: boolean): string => {
  if (!point || point.y === null) return 'no price'
  return isMarked && point.unpriced.length > 0 ? `${money(point.y)} (incomplete)` : money(point.y)
}

/** The rows of the CSV file: a row for each value; for each curve its amount and, where a charge has no price, its name. */
export function valueRows(curves: readonly Curve[], axis: Axis): Rows {
  const amounts = curves.map(({ points, unpriced }) => ({ at: byValue(points), isIncomplete: unpriced.length > 0 }))
  const values = [...new Set(amounts.flatMap((curve) => [...curve.at.keys()]))].sort((a, b) => a - b)
  const rows = values.map((x) => [
    axis.name === 'value' ? x : axis.text(x),
    ...amounts.flatMap(({ at, isIncomplete }) => {
      const point = at.get(x)
      const cents = point?.y ?? (point ? 'no price' : '')
      return isIncomplete ? [cents, point?.unpriced.join(' ') ?? ''] : [cents]
    }),
  ])
  const named = (column: string, name: string) => (curves.length === 1 ? column : `${name}, ${column}`)
  const names = curves.flatMap(({ name, unpriced }) => [
    curves.length === 1 ? 'amount_cents' : `${name}, cents`,
    ...(unpriced.length > 0 ? [named('without_price', name)] : []),
  ])
  return [[axis.name === 'value' ? 'price_cents' : axis.name, ...names], ...rows]
}

/** About twenty round values of the axis, and both sides of each cliff and break. */
function shownValues(curves: readonly Curve[], axis: Axis): number[] {
  const values = new Set(curves.flatMap(({ points }) => points.map(({ x }) => x)))
  const sides = curves.flatMap(({ cliffs, breaks }) =>
    [...cliffs, ...breaks].flatMap(({ below, above }) => [below.x, above.x]),
  )
  const every = axis.name === 'value' ? 10_000_00 : Math.max(1, Math.round(values.size / 20 / 5) * 5)
  const round = [...values].filter((x) => x % every === 0)
  return [...new Set([...round, ...sides])].sort((a, b) => a - b)
}
