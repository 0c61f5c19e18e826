import { writeStart } from '../account.ts'
import type { UnpricedBecause } from '../answer.ts'
import { compare, ZERO, type Exact } from '../exact.ts'
import type { CompiledCase, CompiledRule } from '../compile/rule.ts'
import { closeNotes, NO_WARNINGS, openNotes, type State, type Trace } from '../state.ts'

/** The result of a case, before the term and the concession. */
export interface Outcome {
  readonly kind: CompiledCase['outcome']
  readonly at: CompiledCase | null
  /** Amount in exact cents; 0 when nothing is charged. */
  readonly amount: Exact
  /** Why there is no price. */
  readonly text: string
  readonly because: UnpricedBecause
  /** JSON pointer of a field that would give a price; null when no such field is known. */
  readonly path: string | null
  /** The weakest grade behind the amount. */
  readonly evidence: number
  readonly warnings: readonly string[]
  /** Whether the table row in use states its own grade. */
  readonly graded: boolean
  /** How the amount was computed; null when no explanation was requested. */
  readonly trace: Trace | null
}

/** One priced charge: cents, and the rule and grade behind it. */
export interface Line {
  readonly rule: CompiledRule
  readonly cents: number
  /** Its grade, as a number of grade.ts. */
  readonly evidence: number
  readonly outcome: Outcome
  readonly trace: Trace | null
}

/** Lines by component slot, in file order; null where there is no line. */
export type Lines = (Line | null)[]

/** Computes the outcome of the chosen case; null when its amount is unknown. */
export function computeOutcome(at: CompiledCase, state: State): Outcome | null {
  // Each outcome has a trace of its own, so that the trace of a case that was only tried does not become the line's.
  if (state.trace) state.trace = { account: [] }
  if (at.charge === null) {
    const { outcome: kind, text, evidence, warnings } = at
    const { trace } = state
    if (trace) writeStart(trace, 'amount', ZERO)
    return { kind, at, amount: ZERO, text, because: 'no_figure', path: null, evidence, warnings, graded: false, trace }
  }
  const outer = openNotes(state)
  state.stated = -1
  const amount = at.charge.computeAndNote(state)
  const notes = closeNotes(state, outer)
  if (amount === null) return null
  const graded = state.stated >= 0
  const evidence = graded ? state.stated : at.evidence
  return {
    kind: 'charge',
    at,
    amount,
    text: '',
    because: 'no_figure',
    path: null,
    evidence: evidence > notes.evidence ? evidence : notes.evidence,
    warnings: both(at.warnings, notes.warnings),
    graded,
    trace: state.trace,
  }
}

const both = (a: readonly string[], b: readonly string[]) => (a.length === 0 ? b : b.length === 0 ? a : [...a, ...b])

/** The outcome without a price: the reason, the message, and the field that would help. */
export const unpricedOutcome = (because: UnpricedBecause, text: string, path: string | null = null): Outcome => ({
  kind: 'unpriced',
  at: null,
  amount: ZERO,
  text,
  because,
  path,
  evidence: 0,
  warnings: NO_WARNINGS,
  graded: false,
  trace: null,
})

/** Whether two outcomes give the same line with the same messages. */
export function sameOutcome(a: Outcome, b: Outcome): boolean {
  if (a.kind !== b.kind) return false
  if (a.kind === 'omit' || a.kind === 'zero') return true
  return (
    a.evidence === b.evidence &&
    (a.kind === 'charge' || a.text === b.text) &&
    compare(a.amount, b.amount) === 0 &&
    a.warnings.length === b.warnings.length &&
    a.warnings.every((warning, index) => warning === b.warnings[index])
  )
}
