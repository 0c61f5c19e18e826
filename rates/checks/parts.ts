import type { Charge } from '../engine/grammar/charge.ts'
import type { Condition } from '../engine/grammar/condition.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Adjustment, Case, Missing, Rule, TermFactor } from '../engine/grammar/rule.ts'
import { entries, optional, type At } from './subject.ts'

export const rulesOf = (spec: RateSetSpec): At<Rule>[] => entries('rules', spec.rules)

export const casesOf = (rule: At<Rule>): At<Case>[] => entries(`${rule.path}.cases`, rule.value.cases)

export const chargesOfRule = (rule: At<Rule>): At<Charge>[] =>
  casesOf(rule).flatMap(({ path, value }) => optional(`${path}.charge`, value.charge))

export const chargesOf = (spec: RateSetSpec): At<Charge>[] => rulesOf(spec).flatMap(chargesOfRule)

/** The zones of a zone list, in order; none when there is no such list. */
export const zoneNames = (spec: RateSetSpec, list: string | undefined): string[] =>
  spec.zones?.find(({ name }) => name === list)?.values.map(({ zone }) => zone) ?? []

/** Every list of missing entries: the set's own and each rule's. */
export const missingOf = (spec: RateSetSpec): At<Missing>[] => [
  ...entries('missing', spec.missing),
  ...rulesOf(spec).flatMap(({ path, value }) => entries(`${path}.missing`, value.missing)),
]

export const adjustmentsOf = (spec: RateSetSpec): At<Adjustment>[] =>
  entries('concessions', spec.concessions).flatMap(({ path, value }) =>
    entries(`${path}.adjustments`, value.adjustments),
  )

export const termFactorsOf = (spec: RateSetSpec): At<TermFactor>[] => [
  ...entries('termScales', spec.termScales).flatMap(({ path, value }) => entries(`${path}.terms`, value.terms)),
  ...rulesOf(spec).flatMap(({ path, value }) => entries(`${path}.terms`, value.terms)),
]

const whenOf = ({ path, value }: At<{ when?: Condition | undefined }>) => optional(`${path}.when`, value.when)

/** The conditions of a rule itself: its own `when`, those of its cases and of its missing entries. */
export const conditionsOfRule = (rule: At<Rule>): At<Condition>[] => [
  ...whenOf(rule),
  ...entries(`${rule.path}.missing`, rule.value.missing).flatMap(whenOf),
  ...casesOf(rule).flatMap(whenOf),
]

/** Every condition of a set, with its path. */
export const conditionsOf = (spec: RateSetSpec): At<Condition>[] => [
  ...entries('classes', spec.classes).flatMap(({ path, value }) => entries(`${path}.anyOf`, value.anyOf)),
  ...entries('bases', spec.bases).flatMap(({ path, value }) => entries(`${path}.cases`, value.cases).flatMap(whenOf)),
  ...entries('missing', spec.missing).flatMap(whenOf),
  ...rulesOf(spec).flatMap(conditionsOfRule),
  ...adjustmentsOf(spec).flatMap(whenOf),
]

/** Every term of a sum: the terms of bases, and the deductions of charges. */
export const termsOf = (spec: RateSetSpec): At<string>[] => [
  ...entries('bases', spec.bases).flatMap(({ path, value }) =>
    entries(`${path}.cases`, value.cases).flatMap((one) =>
      (['sum', 'greatest', 'firstPresent', 'minus'] as const).flatMap((key) =>
        entries(`${one.path}.${key}`, one.value[key]),
      ),
    ),
  ),
  ...chargesOf(spec).flatMap(({ path, value }) => entries(`${path}.less`, value.less)),
]
