import { write } from '../account.ts'
import { daysInMonths } from '../dates.ts'
import { add, multiply, type Exact } from '../exact.ts'
import type { CompiledRule, CompiledTerm } from '../compile/rule.ts'
import { FACT_INDEX, type State } from '../state.ts'

/**
 * The factor of the requested term: null when the line does not depend on the term, undefined when the rule lacks the
 * term.
 */
export const compiledTermOf = (rule: CompiledRule, state: State): CompiledTerm | null | undefined =>
  rule.terms === null ? null : rule.terms.get(state.facts[FACT_INDEX.termMonths]!)

/** The share of the annual amount that the term costs. */
export function shareOf({ factor, months }: CompiledTerm, { day }: State): Exact {
  return factor ?? { n: daysInMonths(day, months), d: daysInMonths(day, 12), big: null }
}

/** Applies the term to an annual amount. The annual amount and the result are rounded separately. */
export function onTerm(annual: Exact, term: CompiledTerm | null, state: State): Exact {
  if (term === null) return annual
  const { months, plus, round } = term
  let amount = multiply(annual, shareOf(term, state))
  if (state.trace) write(state.trace, { kind: 'term', months, factor: writtenShare(term, state) }, amount)
  if (plus) {
    const added = plus.computeAndNote(state)
    amount = add(amount, added)
    if (state.trace) write(state.trace, { kind: 'plus', cents: added }, amount)
  }
  return round ? round(amount, state) : amount
}

/** The share as the rate set writes it; for `days`, the actual share. */
export const writtenShare = (term: CompiledTerm, { day }: State): string =>
  term.factor === null ? `${daysInMonths(day, term.months)}/${daysInMonths(day, 12)}` : term.written
