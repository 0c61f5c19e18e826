import { canHold, createFormulas, type Formula } from '#rates/checks/formula.ts'
import { subjectOf } from '#rates/checks/subject.ts'
import type { Condition } from '#rates/engine/grammar/condition.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'

/** Whether any possible vehicle satisfies all formulas; true when the search would take too long. */
export function anyVehicle(formulas: readonly Formula[], spec: RateSetSpec): boolean {
  return canHold(asked({ all: [...formulas] }, spec, new Map()), { tests: 2_000_000 })
}

/** The formulas of a set's conditions on the first day of a rule. */
export function formulasOf(spec: RateSetSpec, imports: readonly RateSetSpec[], startDate?: string) {
  const subject = subjectOf(spec, imports)
  const { of } = createFormulas(subject, startDate ?? subject.year.start)
  return { of, not: (when: Condition | undefined): Formula => ({ not: of(when) }) }
}

/**
 * The formula restricted to requests: only the registration types that the set offers. Whether a fact was sent is
 * independent of its value, because an entry for missing facts may assume any value.
 */
function asked(formula: Formula, spec: RateSetSpec, known: Map<Formula, Formula>): Formula {
  const found = known.get(formula)
  if (found) return found
  const inner = (part: Formula) => asked(part, spec, known)
  const made = rewritten(formula, spec, inner)
  known.set(formula, made)
  return made
}

function rewritten(formula: Formula, spec: RateSetSpec, inner: (part: Formula) => Formula): Formula {
  if ('not' in formula) return { not: inner(formula.not) }
  if ('all' in formula) return { all: formula.all.map(inner) }
  if ('any' in formula) return { any: formula.any.map(inner) }
  const { atom } = formula
  if (atom.values.some((value) => typeof value === 'symbol'))
    return { atom: { ...atom, variable: `present ${atom.variable}` } }
  const types = spec.offers?.registrationTypes.map(({ type }) => type)
  return atom.variable === 'registrationType' && types ? { atom: { ...atom, values: types } } : formula
}
