import type { Entry } from '../compile/missing.ts'
import { isPossible } from '../compile/possible.ts'
import { NO_WARNINGS, type Overlay, type State, type Truth } from '../state.ts'

/** An overlay without any assumed value. */
export const emptyOverlay = (): Overlay => ({
  facts: new Set(),
  classes: new Map(),
  zones: new Map(),
  bases: new Map(),
})

/** Whether the entry agrees with the facts that were sent; a value that contradicts a fact is never assumed. */
export const leavesRoom = ({ kind, slot, value }: Entry, state: State): boolean =>
  kind !== 'fact' || value === null || isPossible(slot, value, state)

/** Assumes a value of the entry for the current rule. */
export function assume(entry: Entry, value: number, state: State): void {
  const overlay: Overlay = (state.overlay ??= emptyOverlay())
  overlay.bases.clear()
  if (entry.kind === 'class') overlay.classes.set(entry.slot, value as Truth)
  else if (entry.kind === 'zone') overlay.zones.set(entry.slot, value)
  else {
    overlay.facts.add(entry.slot)
    state.facts[entry.slot] = value
  }
}

/** A copy of the state, with nothing assumed, asked or computed for the current component. */
export function apart(state: State): State {
  const facts = state.facts.slice()
  for (const slot of state.overlay?.facts ?? []) facts[slot] = NaN
  return {
    ...state,
    facts,
    cents: state.cents.slice(),
    bases: state.bases.slice(),
    unpriced: state.unpriced.slice(),
    overlay: null,
    questions: null,
    notes: { evidence: 0, warnings: NO_WARNINGS },
    trace: null,
    readings: null,
    decided: null,
  }
}

/** Retracts every assumption made for a rule. */
export function retractAll(state: State): void {
  if (state.overlay === null) return
  for (const slot of state.overlay.facts) state.facts[slot] = NaN
  state.overlay = null
}
