import type { Fault } from './fault.ts'
import type { Case, Rule } from '../engine/grammar/rule.ts'
import { amountsOfCharge, parameterOf, referenceOf } from './amounts.ts'
import { casesOf, rulesOf, termFactorsOf } from './parts.ts'
import { entries, type At, type Check, type Subject } from './subject.ts'

/** Every figure graded as an estimate has a warning. */
export const estimatesWarned: Check = (subject) => [
  ...rulesOf(subject.spec).flatMap((rule) => casesOf(rule).flatMap((one) => caseFaults(one, rule, subject))),
  ...termFactorsOf(subject.spec).flatMap(({ path, value: { evidence, warning } }) =>
    evidence === 'estimate' && warning === undefined ? [fault(path, 'the term is an estimate')] : [],
  ),
  ...entries('concessions', subject.spec.concessions).flatMap(({ path, value }) =>
    entries(`${path}.adjustments`, value.adjustments).flatMap((adjustment) => {
      const { evidence = value.evidence, warning } = adjustment.value
      return evidence === 'estimate' && warning === undefined
        ? [fault(adjustment.path, 'the adjustment is an estimate')]
        : []
    }),
  ),
]

const fault = (path: string, what: string): Fault => ({
  check: 'estimates-warned',
  path,
  message: `${what} and has no warning`,
})

function caseFaults(one: At<Case>, rule: At<Rule>, subject: Subject): Fault[] {
  const { charge, warning, evidence = rule.value.verification.evidence } = one.value
  if (!charge || warning !== undefined) return []
  const rows = entries(`${one.path}.charge.table.rows`, charge.table?.rows)
  const silent = rows.filter((row) => row.value.warning === undefined)
  const graded = silent.filter((row) => (row.value.evidence ?? evidence) === 'estimate')
  if (rows.length > 0 && graded.length > 0) return graded.map((row) => fault(row.path, 'the row is an estimate'))
  if (evidence === 'estimate' && rows.length === 0) return [fault(one.path, 'the case is an estimate')]
  const estimated = amountsOfCharge({ path: `${one.path}.charge`, value: charge }).find(({ value }) =>
    isEstimated(value, subject),
  )
  return estimated ? [fault(one.path, `${estimated.value} is an estimate`)] : []
}

function isEstimated(amount: string, subject: Subject): boolean {
  const reference = referenceOf(amount)
  return (reference && parameterOf(reference, subject)?.values.some(({ evidence }) => evidence === 'estimate')) ?? false
}
