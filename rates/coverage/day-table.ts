import type { CodeOnDay, DayCoverage, RuleOnDay } from './on-day.ts'

const HEADINGS = ['code', 'component', 'in force', 'priced', 'evidence', 'review by']

/** The coverage of a day as lines of text: a table of the rules in force, what is missing, and the totals. */
export function dayTable({ on, codes, totals }: DayCoverage): string[] {
  const rows = codes.flatMap(rowsOfCode)
  const widths = HEADINGS.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  const { rules, missing, inPart, notPriced, pastReview } = totals
  return [
    line(HEADINGS),
    ...rows.map(line),
    `On ${on}: ${rules} rules in force; ${missing} components missing, ${notPriced} not priced, ${inPart} priced in part, ${pastReview} past the review date.`,
  ]
}

const rowsOfCode = (code: CodeOnDay): string[][] => [
  ...code.rules.map((rule) => rowOfRule(code, rule)),
  ...missingOf(code).map((what) => [code.pricingCode, what, 'MISSING', '', '', '']),
]

/**
 * One row for a code without anything in force; otherwise one row for each component that the code has only in another
 * year.
 */
const missingOf = ({ set, missing }: CodeOnDay): string[] =>
  set === undefined ? [`all ${missing.length} components`] : missing

const rowOfRule = ({ pricingCode }: CodeOnDay, rule: RuleOnDay): string[] => [
  pricingCode,
  rule.component,
  `${rule.startDate} to ${rule.endDate}`,
  rule.priced,
  rule.grades.join(', '),
  rule.pastReview ? `${rule.reviewBy} PAST` : rule.reviewBy,
]
