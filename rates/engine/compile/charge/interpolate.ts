import { write } from '../../account.ts'
import { centsOf, compileAmount } from '../amount.ts'
import { add, divide, fraction, multiply, parseExact, roundTo, subtract, whole } from '../../exact.ts'
import type { Interpolate } from '../../grammar/charge.ts'
import type { Place } from '../scope.ts'
import type { Rate } from './whole.ts'

const HUNDRED = whole(100)

/**
 * Compiles a percentage that rises with the amount: it uses the published divisor and is rounded to `decimals` places.
 */
export function compileInterpolate(spec: Interpolate, place: Place): Rate {
  const start = parseExact(spec.percent)
  const above = compileAmount(spec.above, place.at('above'))
  const divisorCents = centsOf(spec.divisor)
  const lastPlace = fraction(1n, 10n ** BigInt(spec.decimals))
  const mode = spec.mode ?? 'halfUp'
  const { percent, decimals } = spec
  const written = { kind: 'risingPercent', percent, decimals, mode, divisorCents } as const
  return (amount, state) => {
    const aboveCents = above.computeAndNote(state)
    const percent = roundTo(add(start, divide(subtract(amount, aboveCents), divisorCents)), lastPlace, mode)
    const charge = divide(multiply(amount, percent), HUNDRED)
    if (state.trace) write(state.trace, { ...written, aboveCents }, charge)
    return charge
  }
}
