import type { Quote, QuoteLine } from '#rates/engine/answer.ts'

const CATEGORIES = ['dutiable', 'onRoad', 'additional'] as const

/** A quote as a person reads it: each line with its amount and its rule, the totals, and the warnings. */
export function quoteLines({ categories, totals, metadata }: Quote): string[] {
  const lines = CATEGORIES.flatMap((category) => categories[category])
  const width = Math.max(20, ...lines.map(({ description }) => description.length))
  const row = (label: string, cents: number, note = '') =>
    `${label.padEnd(width)}  ${dollars(cents).padStart(14)}  ${note}`.trimEnd()
  return [
    ...lines.map((line) => row(line.description, line.value, noteOf(line))),
    row('Drive-away', totals.driveAway, `of which GST ${dollars(totals.tax.overall)}`),
    `${metadata.financialYear}, release ${metadata.release}`,
    ...metadata.warnings.map((warning) => `! ${warning}`),
  ]
}

const noteOf = ({ ruleId, evidence }: QuoteLine) => (evidence === 'official' ? ruleId : `${ruleId} (${evidence})`)

/** 1234567 as `12,345.67`. */
function dollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${cents < 0 ? '-' : ''}${whole}.${digits.slice(-2)}`
}
