import { writeStart } from '../../account.ts'
import { compileAmount } from '../amount.ts'
import type { Exact } from '../../exact.ts'
import type { Place } from '../scope.ts'
import type { State } from '../../state.ts'

/** Compiles an amount that is charged as written: a flat charge, a flat band, or the cell of a table. */
export function compileFlat(text: string, place: Place): (state: State) => Exact {
  const written = compileAmount(text, place)
  return (state) => {
    const amount = written.constant ?? written.computeAndNote(state)
    if (state.trace) writeStart(state.trace, 'amount', amount)
    return amount
  }
}
