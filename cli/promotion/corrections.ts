import type { FigureChange } from '#rates/diff/figure-change.ts'
import { changesOf } from '#rates/diff/figures.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetName } from '#rates/published/financial-year.ts'

/** The content of a set, with its imports, when it was last promoted. */
export type Before = (name: string) => readonly RateSetSpec[] | undefined

/**
 * For each set, by name, the first figure of past days that differs from the promoted content, as text. A set that was
 * never promoted corrects nothing. `today` is an ISO date.
 */
export function correctionsOf(specs: readonly RateSetSpec[], before: Before, today: string): Map<string, string> {
  const found = specs.flatMap((spec): [string, string][] => {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    const old = before(name)
    if (!old) return []
    // With its imports, whose parameters it may use, but without its other years: these are promoted separately.
    const codes = [spec.pricingCode, ...(spec.imports ?? [])]
    const of = (sets: readonly RateSetSpec[]) =>
      sets.filter(
        ({ pricingCode, financialYear }) => financialYear === spec.financialYear && codes.includes(pricingCode),
      )
    const changes = changesOf(of(old), of(specs), today)
    const past = changes.filter(
      ({ pricingCode, correction }) => correction === true && pricingCode === spec.pricingCode,
    )
    const [first] = past
    return first ? [[name, inWords(first, past.length)]] : []
  })
  return new Map(found)
}

function inWords({ component, label, old, new: now, from }: FigureChange, count: number): string {
  const more = count > 1 ? `, and ${count - 1} more` : ''
  const figure = `${component} ${label}: ${old ?? 'nothing'} becomes ${now ?? 'nothing'} from ${from}`
  return `it changes days already past (${figure}${more}); --allow-past promotes it`
}
