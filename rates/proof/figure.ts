import type { QuoteLine } from '../engine/answer.ts'

/**
 * Prefix of an expectation about the GST in the lines of a component, `gst:DUTIABLE_LINE`; `gst:overall` is all GST.
 */
const GST = 'gst:'

/** The component of an expectation; undefined for `gst:overall`. */
export function componentOf(key: string): string | undefined {
  if (!key.startsWith(GST)) return key
  const component = key.slice(GST.length)
  return component === 'overall' ? undefined : component
}

/** The figure of an expectation in the lines of a quote, in dollars; `none` when the quote has no such line. */
export function figureIn(lines: readonly QuoteLine[], key: string): string {
  const component = componentOf(key)
  const own = component === undefined ? lines : lines.filter((line) => line.component === component)
  if (own.length === 0) return 'none'
  const cents = own.reduce((sum, { value, tax }) => sum + (key.startsWith(GST) ? tax.amount : value), 0)
  return (cents / 100).toFixed(2)
}
