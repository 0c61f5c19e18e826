import type { FigureChange } from '#rates/diff/figure-change.ts'
import { LIMITS } from '#rates/diff/outcomes.ts'

/**
 * Combines the statements of a rule's case that ends into one change. Of a case that begins, or whose vehicles another
 * case charges alike, only the figures stay.
 */
export function wholeCases(changes: readonly FigureChange[]): FigureChange[] {
  const cases = Map.groupBy(changes, caseKey)
  const conditions = new Map(changes.filter(({ role }) => role === 'condition').map((one) => [caseKey(one), one]))
  return changes.flatMap((one) => {
    // Another case that covers the same vehicles does not change the charge.
    if (one.role === 'condition' && one.isOfOther) return []
    const key = caseKey(one)
    const condition = one.case === undefined ? undefined : conditions.get(key)
    if (condition?.new === null) return one === condition ? [ended(one, cases.get(key)!)] : []
    return condition?.old === null && one === condition ? [] : [one]
  })
}

const caseKey = ({ pricingCode, component, case: words, from, until, course }: FigureChange): string =>
  JSON.stringify([pricingCode, component, words, from, until, course])

/**
 * The charge of a case that ends, and the charge that replaces it: a reader must know whether the price rises or falls.
 */
const ended = ({ what: _, ...condition }: FigureChange, all: readonly FigureChange[]): FigureChange => ({
  ...condition,
  label: condition.case!,
  about: 'figure',
  old: chargedIn(all),
  new: insteadOf(condition),
})

/** The value of a case when its charge is listed for another period. */
const UNNAMED = 'a rule of its own'

/** `$30 for each $200 or part`, `no charge`, `up to $91,387: $0; above $91,387: 30 % of the excess`. */
function chargedIn(all: readonly FigureChange[]): string {
  const outcome = all.find(({ brief }) => brief !== undefined)?.brief
  if (outcome !== undefined) return outcome
  const figures = all.filter((one) => one.about === 'figure' && one.old !== null && !LIMITS.has(one.key ?? ''))
  if (figures.length === 1 && isAmount(figures[0]!)) return figures[0]!.old!
  const words = figures.map(({ what, label, old }) => `${what ?? label}: ${old}`)
  const rest = words.length - MOST_FIGURES
  if (rest > 0) return `${words.slice(0, MOST_FIGURES).join('; ')}; and ${rest} more`
  return words.length === 0 ? UNNAMED : words.join('; ')
}

/** The most figures of a case in one line; a whole table would be too long to read there. */
const MOST_FIGURES = 3

const AMOUNTS = new Set(['flat', 'whole', 'interpolate', 'units'])

/** Whether a figure is the charge for all vehicles of a case, so that its name adds nothing. */
const isAmount = ({ key = '' }: FigureChange): boolean => AMOUNTS.has(key)

function insteadOf({ otherCases }: FigureChange): string | null {
  if (!otherCases) return null
  return `as in all other cases${otherCases.charge === undefined ? '' : `: ${otherCases.charge}`}`
}
