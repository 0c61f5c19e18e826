import { element } from './element.ts'

/** The rows of a CSV file, the first of which has the names of the columns. */
export type Rows = readonly (readonly (string | number)[])[]

/** Buttons that save a chart as SVG and its values as CSV. */
export function saveButtons(chart: SVGSVGElement, rowsOf: () => Rows): HTMLElement {
  const svg = () => new XMLSerializer().serializeToString(standalone(chart))
  return element(
    'p',
    {},
    button('Save as SVG', () => save('curve.svg', 'image/svg+xml', svg())),
    ' ',
    button('Save as CSV', () => save('curve.csv', 'text/csv', csvOf(rowsOf()))),
  )
}

/** A button that saves the rows of a view as `<name>.csv`. */
export const saveRows = (name: string, rowsOf: () => Rows): HTMLElement =>
  element(
    'p',
    {},
    button('Save as CSV', () => save(`${name}.csv`, 'text/csv', csvOf(rowsOf()))),
  )

/** Comma-separated values (RFC 4180): a text with a comma, a quotation mark or a new line stands in quotation marks. */
const csvOf = (rows: Rows): string => rows.map((row) => row.map(cellOf).join(',')).join('\n')

function cellOf(value: string | number): string {
  const text = String(value)
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
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
