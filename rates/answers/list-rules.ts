import type { Snapshot, SupportedRange } from '../engine/snapshot.ts'
import { rulesOfYear, type RuleSummary } from '../engine/year-listings.ts'
import { describeRule, type DescribedRule } from '../offered/describe-rule.ts'
import { covers } from '../engine/dates.ts'
import { findJurisdiction, yearOf } from './find-jurisdiction.ts'

/** Selects rules: those of a pricing code on an ISO date. */
export interface RulesQuery {
  pricingCode?: string | undefined
  date?: string | undefined
}

/** The answer of `GET /v1/rules`. */
export interface RulesAnswer {
  rules: DescribedRule[]
  supportedTaxRange: SupportedRange
}

/** The rules that may give a line on a day; throws PricingFault. */
export function listRules({ pricingCode = '', date = '' }: RulesQuery, snapshot: Snapshot): RulesAnswer {
  const jurisdiction = findJurisdiction(pricingCode, snapshot)
  const year = yearOf(date, jurisdiction)
  const rules = year
    ? inForce(date, rulesOfYear(year)).map((rule) => describeRule(rule, year.financialYear, snapshot, date))
    : []
  return { rules, supportedTaxRange: jurisdiction.range }
}

/**
 * The rules that may give a line on a date, in the order of the set. Among rules with one id, these are the
 * unconditional rule of the highest priority and the conditional rules that precede it.
 */
function inForce(date: string, rules: readonly RuleSummary[]): RuleSummary[] {
  const onDate = rules.filter((rule) => covers(rule, date))
  const general = new Map<string, RuleSummary>()
  for (const rule of onDate) {
    const other = general.get(rule.id)
    if (!rule.conditional && (!other || rule.priority > other.priority)) general.set(rule.id, rule)
  }
  return onDate.filter((rule) => {
    const winner = general.get(rule.id)
    return rule === winner || (rule.conditional && (!winner || rule.priority >= winner.priority))
  })
}
