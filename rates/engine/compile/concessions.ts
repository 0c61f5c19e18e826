import { compileAmount } from './amount.ts'
import { compileRound } from './charge/charge.ts'
import { compileWhen } from './conditions.ts'
import { dayOf, inForce } from '../dates.ts'
import { compare, divide, multiply, parseExact, subtract, whole, ZERO, type Exact } from '../exact.ts'
import type { Concession } from '../grammar/rate-set.ts'
import type { Adjustment } from '../grammar/rule.ts'
import { gradeOf } from '../grade.ts'
import { refuse, type Scope } from './scope.ts'
import { NO_WARNINGS, type Adjust, type Adjustments } from '../state.ts'

export interface CompiledConcession extends Adjustments {
  readonly from: number
  readonly to: number
  /** Its own last day, which may be in a later year; null where it only ends with the set's year. */
  readonly last: number | null
}

const HUNDRED = whole(100)

/** Compiles what a concession changes, by component slot and by basis slot. */
export function compileConcession(spec: Concession, scope: Scope, path: string): CompiledConcession {
  const components: (Adjust[] | undefined)[] = []
  const bases: (Adjust[] | undefined)[] = []
  for (const [index, adjustment] of spec.adjustments.entries()) {
    const at = `${path}.adjustments[${index}]`
    const compiled = compileAdjustment(adjustment, spec, scope, at)
    if (adjustment.basis !== undefined) place(bases, scope.basisOf(adjustment.basis, at).slot, compiled)
    else place(components, componentSlot(adjustment.component, scope, at), compiled)
  }
  const last = spec.endDate === undefined ? null : dayOf(spec.endDate)
  return { type: spec.type, ...inForce(spec, scope.spec.financialYear), last, components, bases }
}

function place(lists: (Adjust[] | undefined)[], slot: number, adjustment: Adjust): void {
  const list = (lists[slot] ??= [])
  list.push(adjustment)
}

function componentSlot(component: string | undefined, scope: Scope, path: string): number {
  const slot = component === undefined ? undefined : scope.slots.components.get(component)
  return slot ?? refuse(scope, path, `no rule gives a line ${component ?? ''}`)
}

function compileAdjustment(spec: Adjustment, concession: Concession, scope: Scope, path: string): Adjust {
  const change = compileChange(spec, scope, path)
  const round = compileRound(spec.round)
  return {
    ...inForce(spec, scope.spec.financialYear),
    when: compileWhen(spec.when, scope, path),
    evidence: spec.evidence ? gradeOf({ ...spec, evidence: spec.evidence }) : gradeOf(concession),
    warnings: spec.warning ? [spec.warning] : NO_WARNINGS,
    sets: spec.set === undefined ? null : spec.perTerm ? 'perTerm' : 'amount',
    apply: (amount, state, factor) => {
      const changed = change(amount, state, factor)
      // A concession never pays out: what it leaves is at least nothing.
      const left = compare(changed, ZERO) < 0 ? ZERO : changed
      return round ? round(left) : left
    },
  }
}

function compileChange(spec: Adjustment, scope: Scope, path: string): Adjust['apply'] {
  if (spec.percentOff !== undefined) {
    const left = divide(subtract(HUNDRED, parseExact(spec.percentOff)), HUNDRED)
    return (amount) => multiply(amount, left)
  }
  const written = spec.amountOff ?? spec.set
  if (written === undefined) return refuse(scope, path, 'expected percentOff, amountOff or set')
  const off = compileAmount(written, scope, path)
  const change = (factor: Exact, value: Exact) => (spec.perTerm ? multiply(value, factor) : value)
  if (spec.set !== undefined) return (_amount, state, factor) => change(factor, off.computeAndNote(state))
  return (amount, state, factor) => subtract(amount, change(factor, off.computeAndNote(state)))
}
