import type { Condition } from '../engine/grammar/condition.ts'
import type { Fault } from './fault.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { chargesOfRule, conditionsOfRule, rulesOf } from './parts.ts'
import { entries, optional, type Check } from './subject.ts'

/** A rule that tests a basis, or charges on one, names the basis. The cases of a basis do not test a basis. */
export const basesGiven: Check = ({ spec }) => [
  ...rulesOf(spec)
    .filter(({ value }) => value.basis === undefined)
    .flatMap((rule) => [
      ...conditionsOfRule(rule).flatMap(({ path, value }) =>
        testsBasis(value, spec) ? [fault(path, 'the condition tests the basis')] : [],
      ),
      ...chargesOfRule(rule).flatMap(({ path, value }) => {
        const form = (['whole', 'bands', 'interpolate'] as const).find((key) => value[key] !== undefined)
        return form ? [fault(`${path}.${form}`, 'the charge is computed on the basis')] : []
      }),
    ]),
  ...entries('bases', spec.bases).flatMap(({ path, value }) =>
    entries(`${path}.cases`, value.cases)
      .flatMap((one) => optional(`${one.path}.when`, one.value.when))
      .filter((when) => testsBasis(when.value, spec))
      .map((when) => ({
        check: 'bases-given',
        path: when.path,
        message: 'a basis cannot be chosen by its own amount',
      })),
  ),
]

const fault = (path: string, what: string): Fault => ({
  check: 'bases-given',
  path,
  message: `${what}, but the rule names no basis`,
})

function testsBasis(condition: Condition, spec: RateSetSpec): boolean {
  if (condition.basis) return true
  const classes = [...(condition.class ?? []), ...(condition.not ?? [])]
  return classes.some((name) =>
    spec.classes?.find((one) => one.name === name)?.anyOf.some((test) => testsBasis(test, spec)),
  )
}
