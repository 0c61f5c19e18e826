import { PricingFault } from '#rates/engine/answer.ts'
import { axisOf, type Axis } from './axes.ts'
import { comparedWith, type NamedChoice, type Sides } from './compared.ts'
import { curveChart, isDotted } from './curve-chart.ts'
import { stepTables, valueRows, valueTable, type DrawnCurve } from './curve-tables.ts'
import { hasCharge } from './curve-choices.ts'
import { isPriced, type Point } from './curve-steps.ts'
import { curveOf, highestPrice, ON_ROAD, pointOf, type Curve, type Drawing } from './curves.ts'
import { element } from './element.ts'
import { plainly } from './fields.ts'
import type { NoRates } from './releases.ts'
import type { Chosen } from './request.ts'
import { saveButtons } from './save.ts'
import { lowerFirst, money, stateName, words } from './words.ts'

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
    ...curves.flatMap((curve) => stepTables(curve, axis, curves.length > 1)),
    valueTable(curves, drawing, title),
    saveButtons(svg, curves, () => valueRows(curves, axis)),
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
    if (point === undefined) return []
    const said = point.y === null ? 'no price' : money(point.y)
    return [curves.length > 1 ? `${said} (${curves[index]!.name})` : said]
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
  const curves = choices.flatMap((choice): DrawnCurve[] => {
    const found = computedOne(choice, drawing)
    if (!('why' in found)) return [found]
    refused.push(
      element('p', { class: `undrawn ${found.isLoading ? 'incomplete' : 'refused'}` }, `${choice.name}: ${found.why}`),
    )
    return []
  })
  return { curves, refused }
}

/** A curve, or why there is none. */
function computedOne({ name, chosen, snapshot, rates }: NamedChoice, drawing: Drawing): DrawnCurve | NoRates {
  const { component } = drawing
  if ('why' in snapshot) return snapshot
  // The form offers the states of the page's own rates.
  if (!Object.hasOwn(snapshot.jurisdictions, chosen['pricingCode'] ?? '')) return { why: absentIn(rates, chosen) }
  try {
    const curve = curveOf(name, chosen, drawing, snapshot)
    // Nothing is charged would be another statement.
    if (!hasCharge(component, chosen, snapshot))
      return { why: `There is no charge with the name “${words(component)}”.` }
    if (!curve.points.some(isPriced)) return { why: `${subjectOf(component)} has no price at any value.` }
    return { ...curve, chosen, snapshot, rates }
  } catch (error) {
    if (error instanceof PricingFault) return { why: plainly(error.message) }
    throw error
  }
}

function absentIn(rates: NamedChoice['rates'], { pricingCode = '' }: Chosen): string {
  const state = stateName(pricingCode) ?? pricingCode
  return rates === 'release' ? `This release has no rates of ${state}.` : `These rates are without ${state}.`
}

const titleOf = ({ component, axis }: { component: string; axis: Axis }) =>
  `${subjectOf(component)} by ${lowerFirst(axis.label)}`

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
  const steps = hasCliffs ? 'Cliffs are dashed.' : 'There is no cliff.'
  const isShaded = curves.length === 1 && curves[0]!.unreached.length > 0
  return [
    curves.every(isDotted) ? 'Each dot is a value that has a price; those beside it have none.' : steps,
    ...(isShaded ? [' Shaded: amounts that no price of the vehicle comes to.'] : []),
    ...(axis.name === 'value' ? [] : [' The vertical axis does not begin at $0.']),
    ...curves.filter(({ unpriced }) => unpriced.length > 0).map((curve) => leftOut(curve, curves.length > 1)),
  ]
}

/** The charges that the amounts of a curve exclude. */
function leftOut({ name, points, unpriced }: Curve, isNamed: boolean): HTMLElement {
  const isEverywhere = points.filter(isPriced).every((point) => point.unpriced.length === unpriced.length)
  const charges = unpriced.map((each) => words(each).toLowerCase()).join(', ')
  const text = `Left out ${isEverywhere ? 'everywhere' : 'at some values'}, because it has no price in the sources: ${charges}.`
  return element('p', { class: 'incomplete' }, isNamed ? `${name}. ${text}` : text)
}
