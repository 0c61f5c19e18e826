import type { FirstQuote, QuoteLine, Rule } from './first-quote.ts'

// A rule may have many sources; GET /v1/rules returns them all.
const shownSources = 2
const width = { amount: 14, description: 46 }

/** A quote for a reader: each line with its amount, rule and source, then totals and warnings. */
export function showQuote({ quote, rules }: FirstQuote): string {
  const { categories, totals, metadata } = quote
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const blocks = [
    ['Vehicle', categories.dutiable, totals.dutiable],
    ['On-road charges', categories.onRoad, totals.onRoad],
    ['Additional', categories.additional, totals.additional],
  ] as const
  const lines = blocks.flatMap(([title, list, total]) => block(title, list, total, byId))
  const year = metadata.financialYear ? `, rates of ${metadata.financialYear}` : ''
  return [
    ...lines,
    row('Drive-away price', totals.driveAway, year.slice(2)),
    ...metadata.warnings.map((warning) => `  note: ${warning}`),
    ...(metadata.release ? [`  release ${metadata.release}`] : []),
  ].join('\n')
}

function block(title: string, list: readonly QuoteLine[], total: number, rules: Map<string, Rule>): string[] {
  if (list.length === 0) return []
  const lines = list.flatMap((line) => [
    row(`  ${line.description}`, line.value, line.ruleId ?? ''),
    ...sources(rules.get(line.ruleId ?? '')),
  ])
  return [...lines, row(title, total, ''), '']
}

function sources(rule: Rule | undefined): string[] {
  const all = rule?.verification?.officialSources ?? []
  const shown = all.toSorted((a, b) => Number(b.official) - Number(a.official)).slice(0, shownSources)
  const more = all.length > shown.length ? [`      and ${all.length - shown.length} more`] : []
  return [...shown.map((source) => `      ${source.authority}: ${source.url}`), ...more]
}

function row(description: string, cents: number, after: string): string {
  const left = description.padEnd(width.description)
  return `${left}${dollars(cents).padStart(width.amount)}  ${after}`.trimEnd()
}

/** Formats cents as Australian dollars, such as `$1,234.50` or `-$20.00`. */
export function dollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${cents < 0 ? '-' : ''}$${whole}.${digits.slice(-2)}`
}
