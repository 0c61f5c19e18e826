import { subjectOf } from '../checks/subject.ts'
import { figuresOf, graded } from '../coverage/figures.ts'
import { resolverOn } from '../diff/amounts.ts'
import { plainCondition } from '../diff/condition-words.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import type { RuleSummary } from '../engine/summaries.ts'

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
  /** Where the rule applies, in words; null where it applies to every vehicle. */
  condition: string | null
  verification: {
    mode: string
    componentType: string
    evidence: string
    grades: string[]
    verifiedOn: string
    reviewBy: string
    officialSources: RuleSummary['verification']['officialSources']
  }
}

/** Describes a rule on a day, ISO, whose amounts its condition may name. */
export function describeRule(
  rule: RuleSummary,
  financialYear: string,
  { specs }: Snapshot,
  day: string,
): DescribedRule {
  const { id, component, category, name, description, pricingCode, startDate, endDate, priority } = rule
  const { mode, componentType, evidence, verifiedOn, reviewBy, officialSources } = rule.verification
  const sets = specs.filter((spec) => spec.financialYear === financialYear)
  const spec = sets.find((one) => one.pricingCode === pricingCode)!
  const written = spec.rules[rule.position]!
  const subject = subjectOf(spec, sets)
  const condition = written.when ? plainCondition(written.when, spec, resolverOn(subject, day)) : null
  const grades = graded(figuresOf(written, subject).map(({ grade }) => grade))
  return {
    ...{ id, component, category, name, description, pricingCode, startDate, endDate, priority },
    condition,
    verification: { mode, componentType, evidence, grades, verifiedOn, reviewBy, officialSources },
  }
}
