import { PricingFault, type Explanation, type Quote, type QuoteLine } from '../engine/answer.ts'
import { FACT_PATH } from '../engine/price/fact-paths.ts'
import type { Fact } from '../engine/grammar/facts.ts'
import { quote } from '../engine/quote/quote.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import type { QuoteCase } from '../files/cases.ts'
import { requestOf, wholeCents } from './example-request.ts'
import { componentOf, figureIn } from './figure.ts'

/**
 * One unmet expectation: dollars, `none`, `unpriced`, a code, a rule id, a grade, an assumed value or the text of a
 * warning.
 */
export interface Difference {
  what: string
  expected: string
  got: string
  /** How the line was computed, when there is a line. */
  line?: { ruleId: string; explain: Explanation }
}

/** Prices a case; returns the unmet expectations, empty when it passes. */
export function runCase(one: QuoteCase, snapshot: Snapshot): Difference[] {
  const got = price(one, snapshot)
  if (typeof got === 'string')
    return got === one.error ? [] : [{ what: 'quote', expected: one.error ?? 'a quote', got }]
  if (one.error !== undefined) return [{ what: 'quote', expected: one.error, got: 'a quote' }]
  const { timeZone } = one
  const zone = snapshot.jurisdictions[one.pricingCode]?.years[got.metadata.financialYear]?.timeZone ?? 'none'
  return [
    ...figureDifferences(one, got),
    ...wordDifferences(one, got),
    ...statementDifferences(one, got),
    ...(timeZone === undefined || timeZone === zone ? [] : [{ what: 'time zone', expected: timeZone, got: zone }]),
  ]
}

function price(one: QuoteCase, snapshot: Snapshot): Quote | string {
  try {
    const { date, purchaseDate = date, outOfRange = 'error' } = one.request
    const request = requestOf(one.request, one.pricingCode, date)
    return quote({ ...request, purchaseDate, taxDatePolicy: { outOfRange }, options: { explain: true } }, snapshot)
  } catch (error) {
    if (error instanceof PricingFault) return error.code
    throw error
  }
}

function figureDifferences({ figures, driveAway }: QuoteCase, { categories, totals, metadata }: Quote): Difference[] {
  const lines = Object.values(categories).flat()
  const unpriced = new Set(metadata.unpriced.map(({ component }) => component))
  const wrong = Object.entries(figures).flatMap(([key, expected]) => {
    const component = componentOf(key)
    const got = component !== undefined && unpriced.has(component) ? 'unpriced' : figureIn(lines, key)
    if (agree(expected, got)) return []
    return [{ what: key, expected, got, ...explained(lines.find((line) => line.component === component)) }]
  })
  const got = (totals.driveAway / 100).toFixed(2)
  if (driveAway === undefined || agree(driveAway, got)) return wrong
  return [...wrong, { what: 'drive-away', expected: driveAway, got }]
}

/** Dollars must agree to the cent; `none` and `unpriced` are different results. */
function agree(expected: string, got: string): boolean {
  if (!/^-?\d/.test(expected) || !/^-?\d/.test(got)) return expected === got
  return wholeCents(expected) === wholeCents(got)
}

function explained(line: QuoteLine | undefined): Pick<Difference, 'line'> {
  return line?.explain ? { line: { ruleId: line.ruleId, explain: line.explain } } : {}
}

/** Compares the grades of lines, the values assumed for facts, and the texts that no warning may contain. */
function statementDifferences(
  { evidence = {}, mayRise, assumed = {}, unwarned = [] }: QuoteCase,
  { categories, metadata }: Quote,
): Difference[] {
  const lines = Object.values(categories).flat()
  const grades = Object.entries(evidence).map(([component, expected]) => {
    const own = lines.filter((line) => line.component === component).map((line) => line.evidence)
    return { what: `evidence of ${component}`, expected, got: [...new Set(own)].join(', ') || 'none' }
  })
  const assumptions = metadata.assumptions.filter(({ kind }) => kind === 'assumed')
  const values = Object.entries(assumed).map(([key, expected]) => {
    const [fact, of] = key.split('.').toReversed() as [Fact, string | undefined]
    const own = assumptions.filter(({ path, component }) => path === FACT_PATH[fact] && (of ?? component) === component)
    const got = [...new Set(own.map((each) => String(each.assumed)))].join(', ')
    return { what: `assumed ${key}`, expected, got: got || 'nothing' }
  })
  const said = unwarned.flatMap((words) => {
    const got = metadata.warnings.find((warning) => warning.includes(words))
    return got === undefined ? [] : [{ what: 'warning', expected: `none with ${words}`, got }]
  })
  const rising = mayRise ? [{ what: 'may rise', expected: listed(mayRise), got: listed(metadata.mayRise) }] : []
  return [...[...grades, ...rising, ...values].filter(({ expected, got }) => expected !== got), ...said]
}

const listed = (components: readonly string[]): string => components.toSorted().join(', ') || 'none'

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
