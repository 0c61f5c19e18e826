import { multiply, parseExact, whole, type Exact } from '../exact.ts'
import type { Parameter } from '../grammar/rate-set.ts'
import { gradeOf } from '../grade.ts'
import { dayOf, yearBounds } from '../dates.ts'
import { refuse, type DatedValue, type Place } from './scope.ts'
import type { State } from '../state.ts'

/**
 * An amount in cents on the effective date. When the amount is a multiple of a parameter, computing it notes the grade
 * of the parameter.
 */
export interface Amount {
  readonly computeAndNote: (state: State) => Exact
  /** The amount itself, when it involves no parameter. */
  readonly constant: Exact | null
}

const CENTS = whole(100)

/** Converts dollars, as a rate set writes them, to cents. */
export const centsOf = (dollars: string): Exact => multiply(parseExact(dollars), CENTS)

/** Compiles `"8.40"`, `AU/LCT_THRESHOLD` or `20.42 FEE_UNIT`. */
export function compileAmount(text: string, place: Place): Amount {
  if (/^-?\d/.test(text) && !text.includes(' ')) return constant(centsOf(text))
  const [times, reference] = text.includes(' ') ? (text.split(' ') as [string, string]) : ['1', text]
  const parameter = place.scope.parameterOf(reference, place)
  const factor = parseExact(times)
  const fixed = parameter.constant && multiply(parameter.constant, factor)
  return {
    constant: null,
    computeAndNote: (state) => {
      const evidence = parameter.evidence(state)
      if (evidence > state.notes.evidence) state.notes.evidence = evidence
      return fixed ?? multiply(parameter.value(state), factor)
    },
  }
}

function constant(value: Exact): Amount {
  return { computeAndNote: () => value, constant: value }
}

/** Compiles the values of a parameter; each is in force from its `startDate` until the next begins. */
export function compileParameter(parameter: Parameter, place: Place): DatedValue {
  const { start } = yearBounds(place.scope.spec.financialYear)
  const values = parameter.values.map((each) => ({
    from: each.startDate ? dayOf(each.startDate) : start,
    value: centsOf(each.value),
    evidence: gradeOf(each),
  }))
  values.sort((a, b) => b.from - a.from)
  const first = values.at(-1)
  if (!first || first.from > start) return refuse(place, `${parameter.name} has no value on the first day`)
  const on = (state: State) => values.find((each) => each.from <= state.day) ?? first
  if (values.length === 1) {
    return { constant: first.value, value: () => first.value, evidence: () => first.evidence }
  }
  return { constant: null, value: (state) => on(state).value, evidence: (state) => on(state).evidence }
}
