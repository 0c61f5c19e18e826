import { axisBottom, axisLeft } from 'd3-axis'
import { scaleLinear, type ScaleLinear } from 'd3-scale'
import { create, type Selection } from 'd3-selection'
import { line } from 'd3-shape'
import { roughly } from './words.ts'

/** One curve; all of it cents. */
export interface Series {
  points: readonly { x: number; y: number }[]
  /** Jumps: just above `x`, from one amount to the other. */
  cliffs: readonly { x: number; from: number; to: number }[]
  /** Amounts that no price comes to. */
  unreached: readonly { from: number; to: number }[]
  /** The price that is chosen. */
  chosen: number
}

const WIDTH = 800
const HEIGHT = 440
const MARGIN = { top: 10, right: 50, bottom: 40, left: 80 }

interface Scales {
  x: ScaleLinear<number, number>
  y: ScaleLinear<number, number>
}

type Chart = Selection<SVGSVGElement, undefined, null, undefined>

/** An SVG of the curve. A cliff is drawn as a cliff: the curve ends on one side and begins anew on the other. */
export function curveChart(
  series: Series,
  { title, description }: { title: string; description: string },
): SVGSVGElement {
  const svg = create('svg')
    .attr('viewBox', `0 0 ${WIDTH} ${HEIGHT}`)
    .attr('role', 'img')
    .attr('aria-label', `${title}. ${description}`)
  const scales = scalesOf(series)
  drawUnreached(svg, series, scales)
  drawAxes(svg, scales)
  for (const piece of piecesOf(series)) {
    const path = line<{ x: number; y: number }>(
      ({ x }) => scales.x(x),
      ({ y }) => scales.y(y),
    )(piece)
    svg.append('path').attr('class', 'curve').attr('d', path)
  }
  drawCliffs(svg, series, scales)
  drawChosen(svg, series, scales)
  return svg.node()!
}

function scalesOf({ points }: Series): Scales {
  const lowest = Math.min(0, ...points.map(({ y }) => y))
  const highest = Math.max(1, ...points.map(({ y }) => y))
  const right = points.at(-1)?.x ?? 1
  return {
    x: scaleLinear([0, right], [MARGIN.left, WIDTH - MARGIN.right]),
    y: scaleLinear([lowest, highest], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(),
  }
}

function drawAxes(svg: Chart, { x, y }: Scales): void {
  const bottom = axisBottom(x)
    .ticks(6)
    .tickFormat((value) => roughly(Number(value)))
  const left = axisLeft(y)
    .ticks(6)
    .tickFormat((value) => roughly(Number(value)))
  svg
    .append('g')
    .attr('transform', `translate(0,${HEIGHT - MARGIN.bottom})`)
    .call(bottom)
  svg.append('g').attr('transform', `translate(${MARGIN.left},0)`).call(left)
}

function drawUnreached(svg: Chart, { unreached }: Series, { x, y }: Scales): void {
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

function drawCliffs(svg: Chart, { cliffs }: Series, { x, y }: Scales): void {
  for (const { x: at, from, to } of cliffs) {
    svg.append('line').attr('class', 'cliff').attr('x1', x(at)).attr('x2', x(at)).attr('y1', y(from)).attr('y2', y(to))
  }
}

function drawChosen(svg: Chart, { points, chosen }: Series, { x, y }: Scales): void {
  const point = points.findLast((each) => each.x <= chosen)
  if (point) svg.append('circle').attr('class', 'chosen').attr('r', 6).attr('cx', x(chosen)).attr('cy', y(point.y))
}

/** The points between one cliff and the next. */
function piecesOf({ points, cliffs }: Series): { x: number; y: number }[][] {
  const pieces: { x: number; y: number }[][] = [[]]
  const ends = new Set(cliffs.map(({ x }) => x))
  for (const point of points) {
    pieces.at(-1)!.push(point)
    if (ends.has(point.x)) pieces.push([])
  }
  return pieces
}
