import { axisBottom, axisLeft } from 'd3-axis'
import { scaleLinear, type ScaleLinear } from 'd3-scale'
import { create, type Selection } from 'd3-selection'
import { line } from 'd3-shape'
import type { Axis } from './axes.ts'
import { isPriced, type Point } from './curve-steps.ts'
import type { Curve } from './curves.ts'
import { money, roughly } from './words.ts'

/** What the chart shows besides the curves. */
export interface Chart {
  title: string
  description: string
  axis: Axis
  /** Pixels that the page has for the chart: a chart that is scaled has texts that nobody can read. */
  width: number
}

const MARGIN = { top: 20, right: 40, bottom: 40 }
/** Pixels left of the vertical axis, for amounts to $9,999,999; larger ones take more. */
const LEFT = 72
/** Pixels of the marks of the vertical axis. */
const TICK_MARK = 10
/** Pixels that a label of the horizontal axis takes, with the room beside it. */
const TICK = 110

interface Scales {
  width: number
  height: number
  x: ScaleLinear<number, number>
  y: ScaleLinear<number, number>
}

type Drawn = Selection<SVGSVGElement, undefined, null, undefined>
type Priced = Point & { y: number }

export interface DrawnChart {
  svg: SVGSVGElement
  /** Marks what is chosen on the first curve; nothing where it has no price. */
  mark: (chosen: Point | undefined) => void
}

/** An SVG of up to four curves. At a cliff the curve ends on one side and starts again on the other. */
export function curveChart(curves: readonly Curve[], chart: Chart): DrawnChart {
  const { title, description, axis } = chart
  const scales = scalesOf(curves, chart)
  const svg = create('svg')
    .attr('viewBox', `0 0 ${scales.width} ${scales.height}`)
    .attr('width', scales.width)
    .attr('height', scales.height)
    .attr('role', 'img')
    .attr('aria-label', `${title}. ${description}`)
  // Only for a single curve: the shaded areas of several would hide each other.
  if (curves.length === 1) drawUnreached(svg, curves[0]!, scales)
  drawAxes(svg, curves, scales, axis)
  for (const [index, curve] of fromBelow(curves)) {
    drawCurve(svg, curve, index, scales)
    drawCliffs(svg, curve, scales)
  }
  if (curves.length === 1) labelCliffs(svg, curves[0]!, scales)
  return { svg: svg.node()!, mark: marker(svg, scales) }
}

/** The curves from the lowest to the top: the fourth is thick, and the second and third let the first be seen between dashes. */
const fromBelow = (curves: readonly Curve[]): [number, Curve][] =>
  [...curves.entries()].toSorted(([one], [other]) => ((one + 1) % 4) - ((other + 1) % 4))

function scalesOf(curves: readonly Curve[], { axis, width }: Chart): Scales {
  const height = Math.round(Math.min(900, Math.max(300, width * 0.5)))
  const points = curves.flatMap((curve) => curve.points)
  const [xs, ys] = [points.map(({ x }) => x), points.filter(isPriced).map(({ y }) => y)]
  // Over the price, the vertical axis starts at 0; over a fact, it shows only the range of the amounts, because the
  // differences matter.
  const [from, to] = axis.name === 'value' ? [Math.min(0, least(ys)), Math.max(1, greatest(ys))] : rangeOf(ys)
  const y = scaleLinear([from, to], [height - MARGIN.bottom, MARGIN.top]).nice()
  const left = Math.max(LEFT, roughly(greatest(y.domain())).length * CHARACTER + TICK_MARK)
  return { width, height, x: scaleLinear([least(xs), greatest(xs)], [left, width - MARGIN.right]), y }
}

// reduce instead of a spread: tens of thousands of values would become as many arguments.
const least = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b), Infinity)
const greatest = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b), -Infinity)

/** The least and the greatest amount, or a dollar around the amount when there is only one. */
function rangeOf(ys: readonly number[]): [number, number] {
  const [from, to] = [least(ys), greatest(ys)]
  return from === to ? [from - 100, to + 100] : [from, to]
}

function drawAxes(svg: Drawn, curves: readonly Curve[], { x, y, height }: Scales, axis: Axis): void {
  const [from = 0, to = 0] = x.range()
  const most = Math.max(2, Math.floor((to - from) / TICK))
  const ticks = axis.ticks?.(curves[0]?.points.map((point) => point.x) ?? []) ?? x.ticks(most)
  const every = Math.ceil(ticks.length / (most + 1))
  const bottom = axisBottom(x)
    .tickValues(ticks.filter((_, index) => index % every === 0))
    .tickFormat((value) => axis.tick(Number(value)))
  const left = axisLeft(y)
    .ticks(6)
    .tickFormat((value) => roughly(Number(value)))
  svg
    .append('g')
    .attr('transform', `translate(0,${height - MARGIN.bottom})`)
    .call(bottom)
  svg.append('g').attr('transform', `translate(${from},0)`).call(left)
}

function drawUnreached(svg: Drawn, { unreached }: Curve, { x, y }: Scales): void {
  const [left = 0, right = 0] = x.range()
  for (const { from, to } of unreached) {
    const height = Math.max(1, y(from) - y(to))
    svg
      .append('rect')
      .attr('class', 'unreached')
      .attr('x', left)
      .attr('width', right - left)
      .attr('y', y(to))
      .attr('height', height)
  }
}

function drawCurve(svg: Drawn, curve: Curve, index: number, scales: Scales): void {
  const path = line<Priced>(
    ({ x }) => scales.x(x),
    ({ y }) => scales.y(y),
  )
  for (const piece of piecesOf(curve)) {
    // A path of one point is drawn as its round end.
    const look = piece.length === 1 ? ' dot' : ''
    svg.append('path').attr('class', `curve curve-${index}${look}`).attr('d', path(piece))
  }
}

function drawCliffs(svg: Drawn, { cliffs }: Curve, { x, y, height }: Scales): void {
  for (const { below, above } of cliffs) {
    const at = x(below.x)
    const line = (name: string, from: number, to: number) =>
      svg.append('line').attr('class', name).attr('x1', at).attr('x2', at).attr('y1', from).attr('y2', to)
    line('cliff-guide', y(Math.min(below.y, above.y)), height - MARGIN.bottom)
    line('cliff', y(below.y), y(above.y))
  }
}

/** Pixels of a label, about: its characters, and the height of its line. */
const CHARACTER = 7.5
const LINE = 16

/** What crossing costs, beside each cliff of a single curve; a label that would cover another one is left out. */
function labelCliffs(svg: Drawn, { cliffs }: Curve, { x, y, width }: Scales): void {
  const drawn: { left: number; right: number; base: number }[] = []
  for (const { below, above, jump } of cliffs.toSorted((a, b) => Math.abs(b.jump) - Math.abs(a.jump))) {
    const label = `${jump > 0 ? '+' : ''}${money(jump)}`
    const [left, base] = [x(below.x) + 8, y(Math.min(below.y, above.y)) + LINE]
    const box = { left, right: left + label.length * CHARACTER, base }
    const isFree = drawn.every((one) => one.right < left || box.right < one.left || Math.abs(one.base - base) > LINE)
    if (!isFree || box.right > width) continue
    drawn.push(box)
    svg.append('text').attr('class', 'cliff-label').attr('x', left).attr('y', base).text(label)
  }
}

/** Moves one circle, so that a dragged price costs no drawing of the curves. */
function marker(svg: Drawn, { x, y }: Scales): DrawnChart['mark'] {
  const circle = svg.append('circle').attr('class', 'chosen').attr('r', 6).attr('visibility', 'hidden')
  return (chosen) => {
    if (!chosen || !isPriced(chosen)) circle.attr('visibility', 'hidden')
    else circle.attr('visibility', 'visible').attr('cx', x(chosen.x)).attr('cy', y(chosen.y))
  }
}

/** Whether a curve has values, and no two beside each other, as the terms that a state offers. */
export const isDotted = (curve: Curve): boolean => piecesOf(curve).every((piece) => piece.length === 1)

/** The points between neighbouring cliffs, breaks or values without a price. */
function piecesOf({ points, cliffs, breaks }: Curve): Priced[][] {
  const pieces: Priced[][] = [[]]
  const ends = new Set([...cliffs, ...breaks].map(({ below }) => below.x))
  for (const point of points) {
    if (isPriced(point)) pieces.at(-1)!.push(point)
    if (!isPriced(point) || ends.has(point.x)) pieces.push([])
  }
  return pieces.filter((piece) => piece.length > 0)
}
