import { write } from '../../account.ts'
import { compileAmount } from '../amount.ts'
import { divide, exactOf, multiply, parseExact, roundWhole } from '../../exact.ts'
import { blameFact } from '../fact-tests.ts'
import type { Units } from '../../grammar/charge.ts'
import type { Place } from '../scope.ts'
import { FACT_INDEX, isUnknown, type Figure } from '../../state.ts'

/** Compiles a rate for each unit of a physical fact; part units count up, down or pro rata. */
export function compileUnits(spec: Units, place: Place): Figure {
  const slot = FACT_INDEX[spec.of]
  const per = parseExact(spec.per)
  const rate = compileAmount(spec.rate, place.at('rate'))
  const { of, part } = spec
  return {
    computeAndNote: (state) => {
      const fact = state.facts[slot]!
      if (isUnknown(fact)) return null
      const quantity = exactOf(fact)
      const units = divide(quantity, per)
      const each = rate.computeAndNote(state)
      const amount = multiply(part === 'prorata' ? units : roundWhole(units, part), each)
      if (state.trace)
        write(state.trace, { kind: 'units', of, quantity, per: spec.per, part, rateCents: each }, amount)
      return amount
    },
    blame: blameFact(spec.of),
  }
}
