import { centsOf, compileAmount } from '../amount.ts'
import { compare, formatExact, roundTo, subtract, type Exact } from '../../exact.ts'
import type { Charge, Round } from '../../grammar/charge.ts'
import { refuse, type Basis, type Place } from '../scope.ts'
import type { Figure, State } from '../../state.ts'
import { blameAddends, compileAddend, computeSum, type Addend } from '../addends.ts'
import { compileBands } from './bands.ts'
import { compileGreatestOf } from './greatest-of.ts'
import { compileInterpolate } from './interpolate.ts'
import { compileTable } from './table.ts'
import { compileUnits } from './units.ts'
import { compileRate, type Rate } from './whole.ts'

/** What a charge is computed on: the basis of its rule; `needs` collects the components that the charge reads. */
export interface ChargedOn {
  readonly basis: Basis | undefined
  readonly needs: Set<string>
}

/** Compiles a charge: its form, then `less`, `atLeast`, `atMost` and `round`, in that order. */
export function compileCharge(charge: Charge, place: Place, { basis, needs }: ChargedOn): Figure {
  const form = compileForm(charge, place, basis)
  const less = (charge.less ?? []).map((text, index) =>
    compileAddend(text, place.at(`less[${index}]`), needs),
  )
  const finish = [...compileBounds(charge, place), compileRound(charge.round)].filter((step) => step !== null)
  if (less.length === 0 && finish.length === 0) return form
  return {
    computeAndNote: (state) => {
      let amount = subtractAndTrace(form.computeAndNote(state), less, state)
      if (amount === null) return null
      if (state.trace && charge.round) traceRound(state, charge.round)
      for (const step of finish) amount = step(amount, state)
      return amount
    },
    blame: (state, unknowns) => {
      form.blame(state, unknowns)
      blameAddends(less)(state, unknowns)
    },
  }
}

function traceRound(state: State, round: Round): void {
  if (state.trace) state.trace.round = { toCents: formatExact(centsOf(round.to)), mode: round.mode ?? 'halfUp' }
}

function subtractAndTrace(amount: Exact | null, less: readonly Addend[], state: State): Exact | null {
  if (state.trace && amount !== null) state.trace.unrounded = amount
  if (amount === null || less.length === 0) return amount
  const sum = computeSum(less, state)
  return sum && subtract(amount, sum)
}

function compileForm(charge: Charge, place: Place, basis: Basis | undefined): Figure {
  const charged = () => basis ?? refuse(place, 'the rule has no basis to charge on')
  if (charge.flat !== undefined) {
    return { computeAndNote: compileAmount(charge.flat, place.at('flat')).computeAndNote, blame: () => undefined }
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
      return amount && rate(amount, state)
    },
    blame: basis.blame,
  }
}

type Step = (amount: Exact, state: State) => Exact

function compileBounds(charge: Charge, place: Place): Step[] {
  const steps: Step[] = []
  if (charge.atLeast !== undefined) {
    const bound = compileAmount(charge.atLeast, place.at('atLeast'))
    steps.push((amount, state) => greater(amount, bound.computeAndNote(state)))
  }
  if (charge.atMost !== undefined) {
    const bound = compileAmount(charge.atMost, place.at('atMost'))
    steps.push((amount, state) => smaller(amount, bound.computeAndNote(state)))
  }
  return steps
}

const greater = (a: Exact, b: Exact) => (compare(a, b) < 0 ? b : a)
const smaller = (a: Exact, b: Exact) => (compare(a, b) > 0 ? b : a)

/** Compiles a rounding to a multiple of `to` dollars, halfUp unless said otherwise; null where there is none. */
export function compileRound(round: Round | undefined): ((amount: Exact) => Exact) | null {
  if (!round) return null
  const to = centsOf(round.to)
  const mode = round.mode ?? 'halfUp'
  return (amount) => roundTo(amount, to, mode)
}
