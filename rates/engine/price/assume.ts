import type { Entry } from '../compile/missing.ts'
import { isPossible } from '../compile/possible.ts'
import { NO_WARNINGS, type Overlay, type State, type Truth } from '../state.ts'

/** Values taken, before there are any. */
export const emptyOverlay = (): Overlay => ({
  facts: new Set(),
  classes: new Map(),
  zones: new Map(),
  bases: new Map(),
})

/** Whether the facts sent leave room for the entry: a value that contradicts one of them is never assumed. */
export const leavesRoom = ({ kind, slot, value }: Entry, state: State): boolean =>
  kind !== 'fact' || value === null || isPossible(slot, value, state)

/** Takes the entry's value for the rule at hand. */
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

/** The same request, with nothing assumed, asked or computed for the component at hand. */
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
  }
}

/** Takes back all that was assumed for a rule. */
export function retractAll(state: State): void {
  if (state.overlay === null) return
  for (const slot of state.overlay.facts) state.facts[slot] = NaN
  state.overlay = null
}
