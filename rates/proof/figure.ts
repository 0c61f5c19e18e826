import type { QuoteLine } from '../engine/answer.ts'

/** What an expectation is about: a component, or the GST in the lines of one, `gst:DUTIABLE_LINE`; `gst:overall` is all of it. */
const GST = 'gst:'

/** The component that an expectation is about; undefined for `gst:overall`. */
export function componentOf(key: string): string | undefined {
  if (!key.startsWith(GST)) return key
  const component = key.slice(GST.length)
  return component === 'overall' ? undefined : component
}

/** Dollars of an expectation in the lines of a quote, `none` where it has no such line. */
export function figureIn(lines: readonly QuoteLine[], key: string): string {
  const component = componentOf(key)
  const own = component === undefined ? lines : lines.filter((line) => line.component === component)
  if (own.length === 0) return 'none'
  const cents = own.reduce((sum, { value, tax }) => sum + (key.startsWith(GST) ? tax.amount : value), 0)
  return (cents / 100).toFixed(2)
}
