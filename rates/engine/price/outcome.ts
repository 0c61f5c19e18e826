import { writeStart } from '../account.ts'
import type { UnpricedBecause } from '../answer.ts'
import { compare, ZERO, type Exact } from '../exact.ts'
import type { CompiledCase, CompiledRule } from '../compile/rule.ts'
import { closeNotes, NO_WARNINGS, openNotes, type State, type Trace } from '../state.ts'

/** What a case comes to, before the term and the concession. */
export interface Outcome {
  readonly kind: CompiledCase['outcome']
  readonly at: CompiledCase | null
  /** Cents, exact; 0 where nothing is charged. */
  readonly amount: Exact
  /** Why there is no price. */
  readonly text: string
  readonly because: UnpricedBecause
  /** JSON pointer of a field that would give a price; null where none is known to. */
  readonly path: string | null
  /** The weakest grade behind the amount. */
  readonly evidence: number
  readonly warnings: readonly string[]
  /** Whether the table row in use gives its own grade. */
  readonly graded: boolean
  /** How it came about; null where that was not asked for. */
  readonly trace: Trace | null
}

/** One priced charge: cents, and the rule and grade behind it. */
export interface Line {
  readonly rule: CompiledRule
  readonly cents: number
  /** Its grade: grade.ts. */
  readonly evidence: number
  readonly outcome: Outcome
  readonly trace: Trace | null
}

/** Lines by component slot, in the order of the file; null where there is no line. */
export type Lines = (Line | null)[]

/** Computes the outcome of a case that was chosen; null where its amount cannot be told. */
export function computeOutcome(at: CompiledCase, state: State): Outcome | null {
  // Each outcome has a trace of its own: that of a case which was only tried is not the line's.
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

/** No price: why, what is said of it, and the field that would help. */
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

/** Whether two outcomes give the same line and say the same of it. */
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
