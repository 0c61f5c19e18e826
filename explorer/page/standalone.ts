const SVG = 'http://www.w3.org/2000/svg'

/** What the page's style sheet says of the parts of a chart. */
const STYLES = [
  ...['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap'],
  ...['font-size', 'font-family', 'font-weight', 'visibility'],
]

/** Pixels of a line of the legend, and of its sample of a curve. */
const LINE = 20
const SAMPLE = 32
const LEFT = 72

/**
 * A copy of a chart that looks the same elsewhere: with its title, the styles and the background of the page, and below it, where
 * there are several curves, the name of each.
 */
export function standalone(chart: SVGSVGElement, curves: readonly { name: string }[]): SVGSVGElement {
  const copy = chart.cloneNode(true) as SVGSVGElement
  const drawn = [...chart.querySelectorAll('*')]
  for (const [index, part] of [...copy.querySelectorAll('*')].entries()) style(part, drawn[index]!)
  const { width, height } = chart.viewBox.baseVal
  const legend = curves.length > 1 ? curves.map(({ name }, index) => entry(name, index, chart)) : []
  const whole = height + legend.length * LINE
  copy.prepend(made('rect', { width, height: whole, fill: getComputedStyle(document.body).backgroundColor }))
  copy.append(...legend)
  const title = made('title', {})
  title.textContent = chart.ariaLabel
  copy.prepend(title)
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${whole}`, height: whole, xmlns: SVG }))
    copy.setAttribute(name, String(value))
  return copy
}

/** A sample of a curve with its name. */
function entry(name: string, index: number, chart: SVGSVGElement): SVGElement {
  const top = chart.viewBox.baseVal.height + (index + 0.5) * LINE
  const sample = made('path', { d: `M${LEFT},${top}h${SAMPLE}` })
  const text = made('text', { x: LEFT + SAMPLE + 8, y: top + 4 })
  text.textContent = name
  style(sample, chart.querySelector(`.curve-${index}:not(.dot)`) ?? chart.querySelector(`.curve-${index}`)!)
  style(text, chart.querySelector('text')!)
  const group = made('g', { class: 'legend' })
  group.append(sample, text)
  return group
}

function style(part: Element, like: Element): void {
  const computed = getComputedStyle(like)
  for (const name of STYLES) part.setAttribute(name, computed.getPropertyValue(name))
}

function made(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const part = document.createElementNS(SVG, name) as SVGElement
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, String(value))
  return part
}
