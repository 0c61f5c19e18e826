import type { Fault } from './fault.ts'
import { compare, ZERO } from '../engine/exact.ts'
import { daysOfChange, resolveAmount } from './amounts.ts'
import { chargesOf } from './parts.ts'
import { entries, optional, type At, type Check, type Subject } from './subject.ts'

/** Every divisor of a basis is above zero on every day, including a divisor that is a parameter. */
export const divisorsPositive: Check = (subject) =>
  chargesOf(subject.spec).flatMap(({ path, value }) => [
    ...optional(`${path}.whole.per`, value.whole?.per).flatMap((per) => faultsOf(per, subject)),
    ...entries(`${path}.bands`, value.bands).flatMap((band) => [
      ...optional(`${band.path}.whole.per`, band.value.whole?.per).flatMap((per) => faultsOf(per, subject)),
      ...optional(`${band.path}.excess.per`, band.value.excess?.per).flatMap((per) => faultsOf(per, subject)),
    ]),
  ])

function faultsOf({ path, value }: At<string>, subject: Subject): Fault[] {
  const day = daysOfChange([value], subject).find((each) => {
    const dollars = resolveAmount(value, each, subject)
    return dollars !== undefined && compare(dollars, ZERO) <= 0
  })
  if (day === undefined) return []
  return [{ check: 'divisors-positive', path, message: `${value} is not above zero on ${day}` }]
}
