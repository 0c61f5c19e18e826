import { priceCurve, type CurvePoint, type PriceCurve } from '#rates/engine/curve/price-curve.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { curveChart, type Series } from './curve-chart.ts'
import { amount, element, table, text, type Cell } from './element.ts'
import { saveButtons } from './save.ts'
import { money, words } from './words.ts'

/** As many as a wide screen has columns; the edges are exact whatever this is. */
const POINTS = 2000
/** Below this, the steps of a charge "per $200 or part" would hide the cliffs, in cents. */
const LEAST_CLIFF = 20_00

/** What one cent more costs at an edge, with the components that jump. */
interface Cliff {
  below: CurvePoint
  above: CurvePoint
  jump: number
}

/** Drive-away, or one component, over the price: a chart, its cliffs in words and its values as a table. */
export function curveView(request: QuoteRequest, component: string, snapshot: Snapshot): HTMLElement[] {
  const price = request.pricingInputs.dutiable[0]?.value ?? 0
  const to = Math.max(200_000_00, Math.ceil((price * 1.25) / 1_000_00) * 1_000_00)
  const curve = priceCurve(request, { from: 0, to, points: POINTS }, snapshot)
  const amountOf = amountOfComponent(curve, component)
  const cliffs = cliffsOf(curve, amountOf)
  const series: Series = {
    points: curve.points.map((point) => ({ x: point.value, y: amountOf(point) })),
    cliffs: cliffs.map(({ below, above }) => ({ x: below.value, from: amountOf(below), to: amountOf(above) })),
    unreached: component === '' ? curve.unreached.filter((span) => span.to - span.from >= LEAST_CLIFF) : [],
    chosen: price,
  }
  const title = `${component === '' ? 'Drive-away price' : words(component)} over the price before on-road costs`
  const chart = curveChart(series, { title, description: cliffs.map((cliff) => sentenceOf(cliff)).join(' ') })
  return [
    element('h2', {}, title),
    element(
      'figure',
      {},
      chart,
      element('figcaption', {}, cliffs.length > 0 ? 'Cliffs are dashed.' : 'There is no cliff.'),
    ),
    cliffTable(curve, cliffs),
    valueTable(curve, amountOf, title),
    saveButtons(
      chart,
      curve.points.map((point) => [point.value, amountOf(point)]),
      'price_cents,amount_cents',
    ),
  ]
}

function amountOfComponent({ components }: PriceCurve, component: string): (point: CurvePoint) => number {
  const slot = components.indexOf(component)
  return component === '' ? ({ driveAway }) => driveAway : ({ cents }) => cents[slot] ?? 0
}

const cliffsOf = ({ edges }: PriceCurve, amountOf: (point: CurvePoint) => number): Cliff[] =>
  edges
    .map(({ below, above }) => ({ below, above, jump: amountOf(above) - amountOf(below) }))
    .filter(({ jump }) => Math.abs(jump) >= LEAST_CLIFF)

const sentenceOf = ({ below, jump }: Cliff) => `Above ${money(below.value)} one cent more costs ${money(jump)}.`

function cliffTable({ components }: PriceCurve, cliffs: readonly Cliff[]): HTMLElement {
  const headings = [
    amount('Highest price below'),
    amount('Drive-away there'),
    amount('One cent more'),
    text('What jumps'),
  ]
  const rows = cliffs.map(({ below, above, jump }): Cell[] => {
    const jumps = components
      .map((name, slot) => ({ name, by: (above.cents[slot] ?? 0) - (below.cents[slot] ?? 0) }))
      .filter(({ by }) => Math.abs(by) > 1_00)
      .map(({ name, by }) => `${words(name)} ${money(by)}`)
    return [amount(money(below.value)), amount(money(below.driveAway)), amount(money(jump)), text(jumps.join(', '))]
  })
  return table('Cliffs: where one cent more costs dollars', headings, rows)
}

/** Every price of $10,000 and both sides of every cliff. */
function valueTable(
  { points, edges }: PriceCurve,
  amountOf: (point: CurvePoint) => number,
  title: string,
): HTMLElement {
  const sides = new Set(edges.flatMap(({ below, above }) => [below.value, above.value]))
  const round = (value: number) => value % 10_000_00 === 0
  const rows = points
    .filter(({ value }) => round(value) || sides.has(value))
    .map((point): Cell[] => [amount(money(point.value)), amount(point.fault ? 'no price' : money(amountOf(point)))])
  const values = table(title, [amount('Price'), amount('Amount')], rows)
  return element('details', {}, element('summary', {}, 'The values as a table'), values)
}
