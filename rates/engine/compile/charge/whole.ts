import { write } from '../../account.ts'
import { compileAmount, type Amount } from '../amount.ts'
import { divide, multiply, parseExact, roundWhole, whole, type Exact } from '../../exact.ts'
import type { Whole } from '../../grammar/charge.ts'
import { refuse, type Place } from '../scope.ts'
import type { State } from '../../state.ts'

/** The charge on an amount, both in cents. */
export type Rate = (amount: Exact, state: State) => Exact

const HUNDRED = whole(100)

/** Compiles `percent` of the amount, or `rate` for each `per` or part of it. */
export function compileRate(spec: Whole, place: Place): Rate {
  if (spec.percent !== undefined) return percentOf(spec.percent)
  if (spec.rate === undefined || spec.per === undefined) return refuse(place, 'expected percent, or rate and per')
  return partsOf(compileAmount(spec.rate, place.at('rate')), compileAmount(spec.per, place.at('per')))
}

function percentOf(percent: string): Rate {
  const share = divide(parseExact(percent), HUNDRED)
  return (amount, state) => {
    const charge = multiply(amount, share)
    if (state.trace) write(state.trace, { kind: 'percent', percent }, charge)
    return charge
  }
}

/** "Or part": counts a part of a unit as a whole one. */
function partsOf(rate: Amount, per: Amount): Rate {
  return (amount, state) => {
    const perCents = per.constant ?? per.computeAndNote(state)
    const rateCents = rate.constant ?? rate.computeAndNote(state)
    const charge = multiply(roundWhole(divide(amount, perCents), 'up'), rateCents)
    if (state.trace) write(state.trace, { kind: 'perPart', rateCents, perCents }, charge)
    return charge
  }
}
