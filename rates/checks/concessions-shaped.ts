import { compare, parseExact } from '../engine/exact.ts'
import type { Fault } from './fault.ts'
import type { Adjustment } from '../engine/grammar/rule.ts'
import { adjustmentsOf } from './parts.ts'
import type { At, Check } from './subject.ts'

/**
 * An adjustment of a concession makes sense: a percentage within 100, and an annual amount only for a line with a term.
 */
export const concessionsShaped: Check = ({ spec }) => adjustmentsOf(spec).flatMap(adjustmentFaults)

function adjustmentFaults({ path, value }: At<Adjustment>): Fault[] {
  const { percentOff, perTerm, basis } = value
  const found = [
    percentOff !== undefined &&
      outsideHundred(percentOff) && { key: 'percentOff', message: `${percentOff} is not within 0 and 100` },
    perTerm === true &&
      percentOff !== undefined && { key: 'perTerm', message: 'perTerm does not go with percentOff: a percentage already follows the term' },
    perTerm === true && basis !== undefined && { key: 'perTerm', message: 'perTerm does not go with basis: a basis has no registration term' },
  ]
  return found
    .filter((one) => one !== false)
    .map(({ key, message }) => ({ check: 'concessions-shaped', path: `${path}.${key}`, message }))
}

const outsideHundred = (percent: string) =>
  compare(parseExact(percent), parseExact('0')) < 0 || compare(parseExact(percent), parseExact('100')) > 0
