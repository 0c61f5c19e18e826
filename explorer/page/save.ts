import { element } from './element.ts'
import { standalone } from './standalone.ts'

/** The rows of a CSV file, the first of which has the names of the columns. */
export type Rows = readonly (readonly (string | number)[])[]

/** Buttons that save a chart of these curves as SVG and its values as CSV. */
export function saveButtons(
  chart: SVGSVGElement,
  curves: readonly { name: string }[],
  rowsOf: () => Rows,
): HTMLElement {
  const svg = () => new XMLSerializer().serializeToString(standalone(chart, curves))
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

function save(name: string, type: string, content: string): void {
  const link = element('a', { href: URL.createObjectURL(new Blob([content], { type })), download: name })
  link.click()
  URL.revokeObjectURL(link.href)
}
