import type { Quote, QuoteLine } from '../engine/answer.ts'
import { quote } from '../engine/quote/quote.ts'
import type { QuoteRequest, Target } from '../engine/request.ts'
import { solveTarget } from '../engine/target/target.ts'
import { snapshotOfBundle, type BundleContent } from './bundle.ts'
import type { Exchange, Receipted } from './receipt.ts'

/**
 * Prices a request that was answered before again, with the release of a bundle and this engine; throws PricingFault.
 */
export function priceAgain({ request, answer }: Exchange, content: BundleContent): Receipted {
  const snapshot = snapshotOfBundle(content)
  if (!('quote' in answer)) return quote(request as QuoteRequest, snapshot)
  const aimed = request as QuoteRequest & { target: Target }
  return solveTarget(aimed, aimed.target, snapshot)
}

/** The figures in which two answers differ, one text each; empty when they agree to the cent. */
export function differences(before: Receipted, after: Receipted): string[] {
  const [one, other] = [figuresOf(before), figuresOf(after)]
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((name) => one.get(name) !== other.get(name))
    .map((name) => `${name}: ${cents(one.get(name))} in the quote, ${cents(other.get(name))} when priced again`)
}

const cents = (value: number | undefined): string => (value === undefined ? 'no line' : `${value} cents`)

/** Each figure of an answer by its name: the solved value, the lines with their tax, and the totals. */
function figuresOf(answer: Receipted): Map<string, number> {
  const { solution, quote: inner } = answer as { solution?: { solvedValue: number }; quote?: Quote }
  const figures = new Map<string, number>()
  if (solution) figures.set('solution.solvedValue', solution.solvedValue)
  const { categories, totals } = inner ?? (answer as Quote)
  for (const [category, lines] of Object.entries(categories)) {
    ;(lines as QuoteLine[]).forEach(({ description, ruleId, value, tax }, at) => {
      const name = `${category}[${at}] ${description} (${ruleId})`
      figures.set(name, value)
      figures.set(`${name}, GST`, tax.amount)
    })
  }
  const { tax, ...sums } = totals
  for (const [name, value] of Object.entries(sums)) figures.set(`totals.${name}`, value)
  for (const [name, value] of Object.entries(tax)) figures.set(`totals.tax.${name}`, value)
  return figures
}
