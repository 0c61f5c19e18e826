import { writeStart } from '../../account.ts'
import { compileAmount } from '../amount.ts'
import { compare, type Exact } from '../../exact.ts'
import type { Charge } from '../../grammar/charge.ts'
import type { Place } from '../scope.ts'
import type { Figure, State } from '../../state.ts'

/** Compiles the most expensive of several offers: a conservative upper bound where insurers compete. */
export function compileGreatestOf(offers: NonNullable<Charge['greatestOf']>, place: Place): Figure {
  const amounts = offers.map(({ amount }, index) => compileAmount(amount, place.at(`greatestOf[${index}].amount`)))
  const value = (state: State): Exact | null => {
    let found: Exact | null = null
    let dearest = 0
    for (let index = 0; index < amounts.length; index++) {
      const next = amounts[index]!.computeAndNote(state)
      if (found !== null && compare(next, found) <= 0) continue
      found = next
      dearest = index
    }
    if (state.trace && found !== null) {
      state.trace.step = `charge.greatestOf[${dearest}]`
      writeStart(state.trace, 'amount', found)
    }
    return found
  }
  return { computeAndNote: value, blame: () => undefined }
}
