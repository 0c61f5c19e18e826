import { PricingFault } from '#rates/engine/answer.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { axisOf, type Axis } from './axes.ts'
import { comparedWith, type Sides } from './compared.ts'
import { curveChart } from './curve-chart.ts'
import { cliffTable, valueTable, type DrawnCurve } from './curve-tables.ts'
import { curveOf, highestPrice, ON_ROAD, pointOf, type Curve, type Drawing, type Point } from './curves.ts'
import { element } from './element.ts'
import { plainly } from './fields.ts'
import type { Chosen } from './request.ts'
import { saveButtons, type Rows } from './save.ts'
import { lowerFirst, money, words } from './words.ts'

/** A curve to draw: its name, the choice, and the rates that price it. */
export interface NamedChoice {
  name: string
  chosen: Chosen
  snapshot: Snapshot
}

/** Curves as elements of the page. */
export interface CurveView {
  parts: HTMLElement[]
  /** Moves the mark to another price; false where the curves of that choice are others, and must be drawn anew. */
  follow: (chosen: Chosen) => boolean
}

/** The curve of the form's choice, and the curves to compare it with. */
export function curveView(
  chosen: Chosen,
  sides: Sides,
  { names, width }: { names: Readonly<Record<string, string>>; width: number },
): CurveView {
  return drawnCurves(comparedWith(chosen, names, sides), chosen, width)
}

/** A chart of up to four curves, with their cliffs in words, a table of values, and the curves without a price. */
export function drawnCurves(choices: readonly NamedChoice[], chosen: Chosen, width: number): CurveView {
  const drawing = { axis: axisOf(chosen), component: chosen['component'] ?? '' }
  const { axis } = drawing
  const title = titleOf(drawing)
  const { curves, refused } = computed(choices, drawing)
  const [first] = curves
  if (!first) return { parts: [element('h2', {}, title), ...refused], follow: () => false }
  const { svg, mark } = curveChart(curves, { title, axis, description: descriptionOf(curves, axis), width })
  const marked = element('p', {})
  const markOf = (now: Chosen) => {
    const points = curves.map(({ chosen: own, snapshot }) =>
      pointOf({ ...own, [axis.name]: now[axis.name] ?? '' }, drawing, snapshot),
    )
    mark(points[0])
    marked.textContent = said(points, curves, axis)
  }
  markOf(chosen)
  const parts = [
    element('h2', {}, title),
    ...refused,
    marked,
    element('figure', {}, svg, element('figcaption', {}, ...legend(curves), ...remarks(curves, axis))),
    ...curves.map((curve) => cliffTable(curve, axis, curves.length > 1)),
    valueTable(curves, axis, { title, chosen }),
    saveButtons(svg, () => valuesOf(curves, axis)),
  ]
  const follow = (now: Chosen) => {
    const isOnCurves = hasCurvesOf(now, chosen)
    if (isOnCurves) markOf(now)
    return isOnCurves
  }
  return { parts, follow }
}

/** What the marked value comes to, on each curve that has it. */
function said(points: readonly (Point | undefined)[], curves: readonly Curve[], { format }: Axis): string {
  const [first] = points
  if (first === undefined) return ''
  const amounts = points.flatMap((point, index) => {
    if (point === undefined || point.y === null) return []
    return [curves.length > 1 ? `${money(point.y)} (${curves[index]!.name})` : money(point.y)]
  })
  return amounts.length === 0 ? '' : `At ${format(first.x)}: ${amounts.join('; ')}.`
}

/** Whether both choices have the same curves: over the price, they may differ in the price. */
function hasCurvesOf(one: Chosen, other: Chosen): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const differ = [...names].filter((name) => one[name] !== other[name])
  return (
    axisOf(one).name === 'value' &&
    highestPrice(one) === highestPrice(other) &&
    differ.every((name) => name === 'value')
  )
}

function computed(choices: readonly NamedChoice[], drawing: Drawing): { curves: DrawnCurve[]; refused: HTMLElement[] } {
  const refused: HTMLElement[] = []
  const curves = choices.flatMap(({ name, chosen, snapshot }): DrawnCurve[] => {
    try {
      return [{ ...curveOf(name, chosen, drawing, snapshot), chosen, snapshot }]
    } catch (error) {
      if (!(error instanceof PricingFault)) throw error
      refused.push(element('p', { class: 'refused' }, `${name}: ${plainly(error.message)}`))
      return []
    }
  })
  return { curves, refused }
}

const titleOf = ({ component, axis }: { component: string; axis: Axis }) =>
  `${subjectOf(component)} over the ${lowerFirst(axis.label)}`

function subjectOf(component: string): string {
  if (component === '') return 'Drive-away price'
  return component === ON_ROAD ? 'On-road charges' : words(component)
}

const descriptionOf = (curves: readonly Curve[], axis: Axis): string =>
  curves
    .flatMap(({ name, cliffs }) =>
      cliffs.map(
        ({ below, jump }) => `${name}: above ${axis.format(below.x)}, ${axis.step} more costs ${money(jump)}.`,
      ),
    )
    .join(' ')

/** The name of each curve beside its line; nothing for a single curve. */
function legend(curves: readonly Curve[]): HTMLElement[] {
  if (curves.length === 1) return []
  const entries = curves.map(({ name }, index) => element('li', { class: `key key-${index}` }, name))
  return [element('ul', { class: 'legend' }, ...entries)]
}

function remarks(curves: readonly Curve[], axis: Axis): (string | HTMLElement)[] {
  const hasCliffs = curves.some(({ cliffs }) => cliffs.length > 0)
  const isShaded = curves.length === 1 && curves[0]!.unreached.length > 0
  const unpriced = [...new Set(curves.flatMap((curve) => curve.unpriced))]
  const left = unpriced.map((name) => words(name).toLowerCase()).join(', ')
  return [
    hasCliffs ? 'Cliffs are dashed.' : 'There is no cliff.',
    ...(isShaded ? [' Shaded: amounts that no price of the vehicle comes to.'] : []),
    ...(axis.name === 'value' ? [] : [' The vertical axis does not begin at $0.']),
    ...(unpriced.length > 0
      ? [element('p', { class: 'incomplete' }, `Left out at values where a charge has no price: ${left}.`)]
      : []),
  ]
}

/** The rows of the CSV file: a column for each curve, a row for each value. */
function valuesOf(curves: readonly Curve[], axis: Axis): Rows {
  const amounts = curves.map(({ points }) => new Map(points.map(({ x, y }) => [x, y])))
  const values = [...new Set(amounts.flatMap((curve) => [...curve.keys()]))].sort((a, b) => a - b)
  const rows = values.map((x) => [
    axis.name === 'value' ? x : axis.text(x),
    ...amounts.map((curve) => curve.get(x) ?? ''),
  ])
  const names = curves.length === 1 ? ['amount_cents'] : curves.map(({ name }) => `${name}, cents`)
  return [[axis.name === 'value' ? 'price_cents' : axis.name, ...names], ...rows]
}
