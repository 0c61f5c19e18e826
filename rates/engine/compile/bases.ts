import { compileWhen } from './conditions.ts'
import { compare, ONE, subtract, ZERO, type Exact } from '../exact.ts'
import type { Basis as BasisSpec, BasisCase } from '../grammar/rate-set.ts'
import { kindOf } from '../request.ts'
import { refuse, type Basis, type Place } from './scope.ts'
import {
  closeNotes,
  FALSE,
  note,
  NO_WARNINGS,
  openNotes,
  TRUE,
  UNKNOWN,
  type Figure,
  type State,
  type Test,
} from '../state.ts'
import { blameAddends, compileAddend, computeSum, type Addend } from './addends.ts'

interface CompiledBasisCase extends Figure {
  readonly when: Test | null
  readonly warnings: readonly string[]
}

/**
 * Compiles a basis, which is computed once for each request. Its value is at least 0, also after a concession's
 * adjustments.
 */
export function compileBasis(spec: BasisSpec, place: Place): Basis {
  const slot = place.scope.slots.bases++
  const needs = new Set<string>()
  const cases = spec.cases.map((each, index) => compileCase(each, place.at(`cases[${index}]`), needs))
  const value = (state: State): Exact | null => {
    const known = state.bases[slot] ?? state.overlay?.bases.get(slot)
    if (known) {
      note(state, known.evidence, known.warnings)
      return known.value
    }
    return computeAndKeep(slot, cases, state)
  }
  return { name: spec.name, slot, needs, computeAndNote: value, blame: blameCases(slot, cases) }
}

function compileCase(spec: BasisCase, place: Place, needs: Set<string>): CompiledBasisCase {
  const addends = (key: 'sum' | 'greatest' | 'firstPresent' | 'minus') =>
    (spec[key] ?? []).map((text, index) => compileAddend(text, place.at(`${key}[${index}]`), needs, spec.minus))
  const minus = addends('minus')
  const ofLines = (spec.ofLines ?? []).map(({ kind, warning }) => ({ kind, warnings: [warning] }))
  const positive = spec.sum ? sumFigure(addends('sum')) : chosenFigure(spec, addends, place)
  return {
    when: compileWhen(spec.when, place),
    warnings: spec.warning ? [spec.warning] : NO_WARNINGS,
    computeAndNote: (state) => {
      for (const { kind, warnings } of ofLines) {
        if (state.lines.some((line) => kindOf(line) === kind)) note(state, 0, warnings)
      }
      const total = positive.computeAndNote(state)
      if (total === null || minus.length === 0) return total
      const less = computeSum(minus, state)
      return less && subtract(total, less)
    },
    blame: (state, unknowns) => {
      positive.blame(state, unknowns)
      blameAddends(minus)(state, unknowns)
    },
  }
}

const sumFigure = (addends: readonly Addend[]): Figure => ({
  computeAndNote: (state) => computeSum(addends, state),
  blame: blameAddends(addends),
})

function chosenFigure(
  spec: BasisCase,
  addends: (key: 'greatest' | 'firstPresent') => Addend[],
  place: Place,
): Figure {
  if (spec.greatest) return figureOf(addends('greatest'), greatest)
  if (spec.firstPresent) return figureOf(addends('firstPresent'), (found) => found === null)
  return refuse(place, 'expected sum, greatest or firstPresent')
}

const greatest = (found: Exact | null, next: Exact) => found === null || compare(next, found) > 0

/**
 * The addend that `takes` prefers, ignoring money inputs that were not sent. Unknown when a required addend is unknown
 * or when no addend is left.
 */
function figureOf(addends: readonly Addend[], takes: (found: Exact | null, next: Exact) => boolean): Figure {
  return {
    computeAndNote: (state) => {
      let found: Exact | null = null
      for (const addend of addends) {
        const next = addend.computeAndNote(state)
        if (next === null && !addend.optional) return null
        if (next !== null && takes(found, next)) found = next
      }
      return found
    },
    blame: (state, unknowns) => {
      const needed = addends.filter((addend) => !addend.optional && addend.computeAndNote(state) === null)
      blameAddends(needed.length > 0 ? needed : addends)(state, unknowns)
    },
  }
}

function computeAndKeep(slot: number, cases: readonly CompiledBasisCase[], state: State): Exact | null {
  const outer = openNotes(state)
  const value = applyConcession(slot, computeFirstCase(cases, state), state)
  const notes = closeNotes(state, outer)
  if (value === null) return null
  // An assumption applies to one rule only; the next rule may assume something else.
  const known = { value, evidence: notes.evidence, warnings: notes.warnings }
  if (state.overlay === null) state.bases[slot] = known
  else state.overlay.bases.set(slot, known)
  note(state, notes.evidence, notes.warnings)
  return value
}

function computeFirstCase(cases: readonly CompiledBasisCase[], state: State): Exact | null {
  for (const each of cases) {
    const truth = each.when === null ? TRUE : each.when.holds(state)
    if (truth === UNKNOWN) return null
    if (truth === FALSE) continue
    note(state, 0, each.warnings)
    const value = each.computeAndNote(state)
    return value && clamp(value)
  }
  return ZERO
}

const clamp = (value: Exact): Exact => (compare(value, ZERO) < 0 ? ZERO : value)

function applyConcession(slot: number, value: Exact | null, state: State): Exact | null {
  const adjustments = state.concession?.bases[slot]
  if (value === null || adjustments === undefined) return value
  let amount = value
  // The account of a line begins with the basis, so the steps that compute the basis are not written.
  const unwritten = state.trace ? { ...state, trace: null } : state
  for (const each of adjustments) {
    if (state.day < each.from || state.day > each.to) continue
    const truth = each.when === null ? TRUE : each.when.holds(state)
    if (truth === UNKNOWN) return null
    if (truth === FALSE) continue
    note(state, each.evidence, each.warnings)
    amount = each.apply(amount, unwritten, ONE)
  }
  return amount
}

function blameCases(slot: number, cases: readonly CompiledBasisCase[]): Figure['blame'] {
  return (state, unknowns) => {
    for (const each of cases) {
      const truth = each.when === null ? TRUE : each.when.holds(state)
      if (truth === UNKNOWN) each.when?.blame(state, unknowns)
      if (truth !== FALSE) each.blame(state, unknowns)
      if (truth === TRUE) break
    }
    for (const each of state.concession?.bases[slot] ?? [])
      if (each.when?.holds(state) === UNKNOWN) each.when.blame(state, unknowns)
  }
}
