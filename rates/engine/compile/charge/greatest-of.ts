import { compileAmount } from '../amount.ts'
import { compare, type Exact } from '../../exact.ts'
import type { Charge } from '../../grammar/charge.ts'
import type { Place } from '../scope.ts'
import type { Figure, State } from '../../state.ts'

/** Compiles the dearest of several offers: a conservative upper bound where insurers compete. */
export function compileGreatestOf(offers: NonNullable<Charge['greatestOf']>, place: Place): Figure {
  const amounts = offers.map(({ amount }, index) => compileAmount(amount, place.at(`greatestOf[${index}].amount`)))
  const value = (state: State): Exact | null => {
    let found: Exact | null = null
    for (const amount of amounts) {
      const next = amount.computeAndNote(state)
      if (found === null || compare(next, found) > 0) found = next
    }
    return found
  }
  return { computeAndNote: value, blame: () => undefined }
}
