import { element } from './element.ts'

/** Buttons that save a chart as SVG and its values as CSV. */
export function saveButtons(
  chart: SVGSVGElement,
  rows: readonly (readonly (string | number)[])[],
  heading: string,
): HTMLElement {
  const csv = () => [heading, ...rows.map((row) => row.join(','))].join('\n')
  const svg = () => new XMLSerializer().serializeToString(standalone(chart))
  return element(
    'p',
    {},
    button('Save as SVG', () => save('curve.svg', 'image/svg+xml', svg())),
    ' ',
    button('Save as CSV', () => save('curve.csv', 'text/csv', csv())),
  )
}

function button(label: string, pressed: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button' }, label)
  made.addEventListener('click', pressed)
  return made
}

/** The chart with the styles of the page's style sheet included, so that it looks the same elsewhere. */
function standalone(chart: SVGSVGElement): SVGSVGElement {
  const copy = chart.cloneNode(true) as SVGSVGElement
  const drawn = [...chart.querySelectorAll('*')]
  for (const [index, part] of [...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(drawn[index]!)
    for (const name of ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-size'])
      part.setAttribute(name, style.getPropertyValue(name))
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return copy
}

function save(name: string, type: string, content: string): void {
  const link = element('a', { href: URL.createObjectURL(new Blob([content], { type })), download: name })
  link.click()
  URL.revokeObjectURL(link.href)
}
