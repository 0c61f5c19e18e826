import type { Fault } from './fault.ts'
import { canHold, createFormulas, EVERYTHING, type Budget, type Formula } from './formula.ts'
import { casesOf, rulesOf } from './parts.ts'
import type { Rule } from '../engine/grammar/rule.ts'
import type { At, Check, Subject } from './subject.ts'

// The largest real set takes 10,000 tests. When the budget is spent, the remaining cases are assumed to be reached.
const MOST_TESTS = 3_000_000

/** Each case is reached by some vehicle at some price: the cases before it do not match everything. */
export const casesReached: Check = (subject) => {
  const budget: Budget = { tests: MOST_TESTS }
  return rulesOf(subject.spec).flatMap((rule) => unreached(rule, subject, budget))
}

function unreached(rule: At<Rule>, subject: Subject, budget: Budget): Fault[] {
  const formulas = createFormulas(subject, rule.value.startDate ?? subject.year.start)
  const gate = formulas.of(rule.value.when)
  if (!canHold(gate, budget))
    return [{ check: 'cases-reached', path: `${rule.path}.when`, message: 'no vehicle meets this condition' }]
  const cases = casesOf(rule)
  const tests = cases.map(({ value }) => formulas.of(value.when))
  return cases.flatMap(({ path }, position) => {
    const before = tests.slice(0, position).map((test): Formula => ({ not: test }))
    const own = tests[position] ?? EVERYTHING
    if (canHold({ all: [gate, own, ...before] }, budget)) return []
    const message = canHold({ all: [gate, own] }, budget)
      ? 'the earlier cases match everything that this case would match'
      : 'no vehicle that the rule applies to meets this condition'
    return [{ check: 'cases-reached', path, message }]
  })
}
