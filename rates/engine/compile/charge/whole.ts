import { compileAmount, type Amount } from '../amount.ts'
import { divide, multiply, parseExact, roundWhole, whole, type Exact } from '../../exact.ts'
import type { Whole } from '../../grammar/charge.ts'
import { refuse, type Place } from '../scope.ts'
import type { State } from '../../state.ts'

/** What a part of the basis is charged, cents for cents. */
export type Rate = (amount: Exact, state: State) => Exact

const HUNDRED = whole(100)

/** Compiles `percent` of the amount, or `rate` for each `per` or part of it. */
export function compileRate(spec: Whole, place: Place): Rate {
  if (spec.percent !== undefined) {
    const share = divide(parseExact(spec.percent), HUNDRED)
    return (amount) => multiply(amount, share)
  }
  if (spec.rate === undefined || spec.per === undefined) return refuse(place, 'expected percent, or rate and per')
  const rate = compileAmount(spec.rate, place.at('rate'))
  const per = compileAmount(spec.per, place.at('per'))
  return constantRate(rate, per) ?? ((amount, state) => partsOf(amount, per.computeAndNote(state), rate.computeAndNote(state)))
}

/** "Or part": a part of a unit counts as one. */
function partsOf(amount: Exact, per: Exact, rate: Exact): Exact {
  return multiply(roundWhole(divide(amount, per), 'up'), rate)
}

function constantRate({ constant: rate }: Amount, { constant: per }: Amount): Rate | null {
  return rate && per ? (amount) => partsOf(amount, per, rate) : null
}
