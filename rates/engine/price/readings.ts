import type { CompiledRule } from '../compile/rule.ts'
import type { Exact } from '../exact.ts'
import { closeNotes, openNotes, type Figure, type State } from '../state.ts'
import type { Outcome } from './outcome.ts'

/** Keeps the value of the basis, computed with all that was assumed for the rule so far. */
export function keepReading(rule: CompiledRule, state: State): void {
  if (rule.basis && rule.edges.length > 0) state.readings?.set(rule, computeUnnoted(rule.basis, state))
}

/** Computes a figure and discards its notes, because nobody reads them. */
export function computeUnnoted(figure: Figure, state: State): Exact | null {
  const outer = openNotes(state)
  const amount = figure.computeAndNote(state)
  closeNotes(state, outer)
  return amount
}

/** Keeps what decided an outcome, for whoever prices the same vehicle with other lines. */
export function decide(rule: CompiledRule, outcome: Outcome, state: State): Outcome {
  const { overlay } = state
  if (state.readings !== null && outcome.at !== null) {
    const facts = [...(overlay?.facts ?? [])].map((slot): [number, number] => [slot, state.facts[slot]!])
    state.decided = { rule, at: outcome.at, overlay, facts }
  }
  return outcome
}
