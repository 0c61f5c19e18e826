import { subjectOf } from '../checks/subject.ts'
import { figuresOf, graded } from '../coverage/figures.ts'
import { resolverOn } from '../diff/amounts.ts'
import { plainCondition } from '../diff/condition-words.ts'
import type { Rule } from '../engine/grammar/rule.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import type { RuleSummary } from '../engine/year-listings.ts'

/** One rule in force, as a client sees it. */
export interface DescribedRule {
  id: string
  component: string
  category: string
  name: string
  description: string
  pricingCode: string
  startDate: string
  endDate: string
  priority: number
  /** The vehicles to which the rule applies, in words; null when it applies to every vehicle. */
  condition: string | null
  verification: {
    mode: string
    componentType: string
    evidence: string
    grades: string[]
    /**
     * The rule's statement about its component: figures, no price, or neither, for example because another line
     * includes the charge.
     */
    states: 'figures' | 'unpriced' | 'nothing'
    verifiedOn: string
    reviewBy: string
    officialSources: RuleSummary['verification']['officialSources']
  }
}

/** Describes a rule on an ISO day; the amounts in its condition are those of that day. */
export function describeRule(
  rule: RuleSummary,
  financialYear: string,
  { specs }: Snapshot,
  day: string,
): DescribedRule {
  const { id, component, category, name, description, pricingCode, startDate, endDate, priority } = rule
  const sets = specs.filter((spec) => spec.financialYear === financialYear)
  const spec = sets.find((one) => one.pricingCode === pricingCode)!
  const written = spec.rules[rule.position]!
  const subject = subjectOf(spec, sets)
  const condition = written.when ? plainCondition(written.when, spec, resolverOn(subject, day)) : null
  return {
    id,
    component,
    category,
    name,
    description,
    pricingCode,
    startDate,
    endDate,
    priority,
    condition,
    verification: verificationOf(rule, written, graded(figuresOf(written, subject).map(({ grade }) => grade))),
  }
}

function verificationOf(
  { verification }: RuleSummary,
  written: Rule,
  grades: DescribedRule['verification']['grades'],
): DescribedRule['verification'] {
  const { mode, componentType, evidence, verifiedOn, reviewBy, officialSources } = verification
  const states = statesOf(written, grades)
  return { mode, componentType, evidence, grades, states, verifiedOn, reviewBy, officialSources }
}

/** A rule without a figure leaves its component without a price, or says that nothing is charged beside other lines. */
function statesOf({ cases }: Rule, grades: readonly string[]): DescribedRule['verification']['states'] {
  if (grades.length > 0) return 'figures'
  return cases.some(({ unpriced }) => unpriced !== undefined) ? 'unpriced' : 'nothing'
}
