import { write } from '../account.ts'
import { compileAmount } from './amount.ts'
import { compileRound } from './charge/charge.ts'
import { compileWhen } from './conditions.ts'
import { dayOf, inForce } from '../dates.ts'
import { compare, divide, multiply, ONE, parseExact, subtract, whole, ZERO } from '../exact.ts'
import type { Concession } from '../grammar/rate-set.ts'
import type { Adjustment } from '../grammar/rule.ts'
import { gradeOf } from '../grade.ts'
import { refuse, type Place } from './scope.ts'
import { NO_WARNINGS, type Adjust, type Adjustments } from '../state.ts'

export interface CompiledConcession extends Adjustments {
  readonly from: number
  readonly to: number
  /** The concession's own last day, which may be in a later year; null when it ends with the year of the set. */
  readonly last: number | null
}

const HUNDRED = whole(100)

/** Compiles the adjustments of a concession, by component slot and by basis slot. */
export function compileConcession(spec: Concession, place: Place): CompiledConcession {
  const components: (Adjust[] | undefined)[] = []
  const bases: (Adjust[] | undefined)[] = []
  for (const [index, adjustment] of spec.adjustments.entries()) {
    const at = place.at(`adjustments[${index}]`)
    const compiled = compileAdjustment(adjustment, spec, at)
    if (adjustment.basis !== undefined) addTo(bases, place.scope.basisOf(adjustment.basis, at).slot, compiled)
    else addTo(components, componentSlot(adjustment.component, at), compiled)
  }
  const last = spec.endDate === undefined ? null : dayOf(spec.endDate)
  return { type: spec.type, ...inForce(spec, place.scope.spec.financialYear), last, components, bases }
}

function addTo(lists: (Adjust[] | undefined)[], slot: number, adjustment: Adjust): void {
  const list = (lists[slot] ??= [])
  list.push(adjustment)
}

function componentSlot(component: string | undefined, place: Place): number {
  const slot = component === undefined ? undefined : place.scope.slots.components.get(component)
  return slot ?? refuse(place, `no rule gives a line ${component ?? ''}`)
}

function compileAdjustment(spec: Adjustment, concession: Concession, place: Place): Adjust {
  const change = compileChange(spec, place)
  const round = compileRound(spec.round)
  return {
    ...inForce(spec, place.scope.spec.financialYear),
    when: compileWhen(spec.when, place),
    evidence: spec.evidence ? gradeOf({ ...spec, evidence: spec.evidence }) : gradeOf(concession),
    warnings: spec.warning ? [spec.warning] : NO_WARNINGS,
    sets: spec.set === undefined ? null : spec.perTerm ? 'perTerm' : 'amount',
    apply: (amount, state, factor) => {
      const changed = change(amount, state, factor)
      // A concession never pays out: the result is at least zero.
      const left = compare(changed, ZERO) < 0 ? ZERO : changed
      if (state.trace && left !== changed) write(state.trace, { kind: 'atLeast', cents: ZERO }, left)
      return round ? round(left, state) : left
    },
  }
}

function compileChange(spec: Adjustment, place: Place): Adjust['apply'] {
  if (spec.percentOff !== undefined) return percentOff(spec.percentOff)
  const written = spec.amountOff ?? spec.set
  if (written === undefined) return refuse(place, 'expected percentOff, amountOff or set')
  const off = compileAmount(written, place)
  const kind = spec.set === undefined ? 'amountOff' : 'set'
  return (amount, state, factor) => {
    const cents = off.computeAndNote(state)
    const due = multiply(cents, spec.perTerm ? factor : ONE)
    const left = kind === 'set' ? due : subtract(amount, due)
    if (state.trace) write(state.trace, { kind, cents, ...(spec.perTerm && { factor }) }, left)
    return left
  }
}

function percentOff(percent: string): Adjust['apply'] {
  const share = divide(subtract(HUNDRED, parseExact(percent)), HUNDRED)
  return (amount, state) => {
    const left = multiply(amount, share)
    if (state.trace) write(state.trace, { kind: 'percentOff', percent }, left)
    return left
  }
}
