import { PricingFault, type Explanation, type Quote, type QuoteLine } from '../engine/answer.ts'
import { requestOf, wholeCents } from '../engine/given.ts'
import { quote } from '../engine/quote.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import type { QuoteCase } from '../files/cases.ts'

/** One expectation that is not met: dollars, `none`, a code, a rule id or words of a warning. */
export interface Difference {
  what: string
  expected: string
  got: string
  /** How the line came to its figure, where there is one. */
  line?: { ruleId: string; explain: Explanation }
}

/** Prices a case; what of its expectations the quote does not meet, none where it passes. */
export function runCase(one: QuoteCase, snapshot: Snapshot): Difference[] {
  const got = price(one, snapshot)
  if (typeof got === 'string')
    return got === one.error ? [] : [{ what: 'quote', expected: one.error ?? 'a quote', got }]
  if (one.error !== undefined) return [{ what: 'quote', expected: one.error, got: 'a quote' }]
  return [...figureDifferences(one, got), ...wordDifferences(one, got)]
}

function price(one: QuoteCase, snapshot: Snapshot): Quote | string {
  try {
    const request = requestOf(one.request, one.pricingCode, one.request.date)
    return quote({ ...request, options: { explain: true } }, snapshot)
  } catch (error) {
    if (error instanceof PricingFault) return error.code
    throw error
  }
}

const dollars = (value: number) => (value / 100).toFixed(2)

function figureDifferences({ figures, driveAway }: QuoteCase, { categories, totals, metadata }: Quote): Difference[] {
  const lines = new Map(categories.onRoad.map((line) => [line.component, line]))
  const wrong = Object.entries(figures).flatMap(([component, text]) => {
    const line = lines.get(component)
    const fits = /^-?\d/.test(text)
      ? line?.value === wholeCents(text)
      : line === undefined && (text === 'none' || metadata.warnings.length > 0)
    return fits ? [] : [{ what: component, expected: text, ...gotOf(line) }]
  })
  if (driveAway === undefined || totals.driveAway === wholeCents(driveAway)) return wrong
  return [...wrong, { what: 'drive-away', expected: driveAway, got: dollars(totals.driveAway) }]
}

function gotOf(line: QuoteLine | undefined): Pick<Difference, 'got' | 'line'> {
  if (line === undefined) return { got: 'none' }
  return { got: dollars(line.value), ...(line.explain ? { line: { ruleId: line.ruleId, explain: line.explain } } : {}) }
}

function wordDifferences({ warnings, ruleIds }: QuoteCase, { categories, metadata }: Quote): Difference[] {
  const silent = warnings.filter((words) => !metadata.warnings.some((warning) => warning.includes(words)))
  const lines = Object.values(categories).flat()
  const strangers = Object.entries(ruleIds).filter(
    ([component, id]) => !lines.some((line) => line.component === component && line.ruleId === id),
  )
  return [
    ...silent.map((words) => ({ what: 'warning', expected: words, got: metadata.warnings.join(' | ') || 'none' })),
    ...strangers.map(([component, id]) => {
      const got = lines.filter((line) => line.component === component).map(({ ruleId }) => ruleId)
      return { what: `rule of ${component}`, expected: id, got: got.join(', ') || 'none' }
    }),
  ]
}
