import { write, writeStart } from '../../account.ts'
import { centsOf, compileAmount } from '../amount.ts'
import { compare, formatExact, roundTo, subtract, type Exact } from '../../exact.ts'
import type { Charge, Round } from '../../grammar/charge.ts'
import { refuse, type Basis, type Place } from '../scope.ts'
import type { Figure, State } from '../../state.ts'
import { blameAddends, compileAddend, type Addend } from '../addends.ts'
import { compileBands } from './bands.ts'
import { compileFlat } from './flat.ts'
import { compileGreatestOf } from './greatest-of.ts'
import { compileInterpolate } from './interpolate.ts'
import { compileTable } from './table.ts'
import { compileUnits } from './units.ts'
import { compileRate, type Rate } from './whole.ts'

/** The basis of the rule of a charge; `needs` collects the components that the charge reads. */
export interface ChargedOn {
  readonly basis: Basis | undefined
  readonly needs: Set<string>
}

/** Compiles a charge: its form, then `less`, `atLeast`, `atMost` and `round`, in that order. */
export function compileCharge(charge: Charge, place: Place, { basis, needs }: ChargedOn): Figure {
  const form = compileForm(charge, place, basis)
  const less = (charge.less ?? []).map((text, index) => ({
    ...compileAddend(text, place.at(`less[${index}]`), needs),
    of: isWritten(text) ? {} : { of: text },
  }))
  const finish = [...compileBounds(charge, place), compileRound(charge.round)].filter((step) => step !== null)
  if (less.length === 0 && finish.length === 0) return form
  return {
    computeAndNote: (state) => {
      let amount = subtractAndTrace(form.computeAndNote(state), less, state)
      if (amount === null) return null
      if (state.trace && charge.round) state.trace.round = written(charge.round)
      for (const step of finish) amount = step(amount, state)
      return amount
    },
    blame: (state, unknowns) => {
      form.blame(state, unknowns)
      blameAddends(less)(state, unknowns)
    },
  }
}

/** The deduction of a charge; `of` has its text when it is not a plain amount. */
type Less = Addend & { readonly of: { readonly of?: string } }

/** Whether an addend is written as a plain amount of dollars. */
const isWritten = (text: string) => /^-?[0-9.]+$/.test(text)

const written = ({ to, mode = 'halfUp' }: Round) => ({ toCents: formatExact(centsOf(to)), mode })

function subtractAndTrace(amount: Exact | null, less: readonly Less[], state: State): Exact | null {
  if (state.trace && amount !== null) state.trace.unrounded = amount
  let left = amount
  for (const each of less) {
    const value = left && each.computeAndNote(state)
    if (left === null || value === null) return null
    left = subtract(left, value)
    if (state.trace) write(state.trace, { kind: 'less', cents: value, ...each.of }, left)
  }
  return left
}

function compileForm(charge: Charge, place: Place, basis: Basis | undefined): Figure {
  const charged = () => basis ?? refuse(place, 'the rule has no basis to charge on')
  if (charge.flat !== undefined) {
    return { computeAndNote: compileFlat(charge.flat, place.at('flat')), blame: () => undefined }
  }
  if (charge.whole) return onBasis(compileRate(charge.whole, place.at('whole')), charged())
  if (charge.bands) return compileBands(charge.bands, charged(), place)
  if (charge.interpolate) return onBasis(compileInterpolate(charge.interpolate, place.at('interpolate')), charged())
  if (charge.units) return compileUnits(charge.units, place.at('units'))
  if (charge.table) return compileTable(charge.table, place.at('table'))
  if (charge.greatestOf) return compileGreatestOf(charge.greatestOf, place)
  return refuse(place, 'expected flat, whole, bands, interpolate, units, table or greatestOf')
}

function onBasis(rate: Rate, basis: Basis): Figure {
  return {
    computeAndNote: (state) => {
      const amount = basis.computeAndNote(state)
      if (amount === null) return null
      if (state.trace) writeStart(state.trace, 'basis', amount)
      return rate(amount, state)
    },
    blame: basis.blame,
  }
}

/** One operation on an amount; it is written to the account when an account was requested. */
export type Step = (amount: Exact, state: State) => Exact

function compileBounds({ atLeast, atMost }: Charge, place: Place): Step[] {
  const bounds = [
    atLeast === undefined ? null : compileBound('atLeast', atLeast, place),
    atMost === undefined ? null : compileBound('atMost', atMost, place),
  ]
  return bounds.filter((bound) => bound !== null)
}

function compileBound(kind: 'atLeast' | 'atMost', text: string, place: Place): Step {
  const bound = compileAmount(text, place.at(kind))
  return (amount, state) => {
    const limit = bound.computeAndNote(state)
    const left = kind === 'atLeast' ? greater(amount, limit) : smaller(amount, limit)
    if (state.trace) write(state.trace, { kind, cents: limit }, left)
    return left
  }
}

const greater = (a: Exact, b: Exact) => (compare(a, b) < 0 ? b : a)
const smaller = (a: Exact, b: Exact) => (compare(a, b) > 0 ? b : a)

/** Compiles a rounding to a multiple of `to` dollars, `halfUp` by default; null when there is no rounding. */
export function compileRound(round: Round | undefined): Step | null {
  if (!round) return null
  const toCents = centsOf(round.to)
  const mode = round.mode ?? 'halfUp'
  return (amount, state) => {
    const rounded = roundTo(amount, toCents, mode)
    if (state.trace) write(state.trace, { kind: 'round', toCents, mode }, rounded)
    return rounded
  }
}
