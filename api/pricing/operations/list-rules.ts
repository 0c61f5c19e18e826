import type { RuleSummary } from '#rates/engine/summaries.ts'
import { describeRule } from '#rates/offered/describe-rule.ts'
import { checkShowroom } from '../check-showroom.ts'
import { covers } from '#rates/engine/dates.ts'
import { findJurisdiction, yearOf } from '../find-jurisdiction.ts'
import type { Operation } from '../operation.ts'

/** `GET /v1/rules`. */
export const listRules: Operation = {
  operationId: 'listRules',
  bodyLimit: 0,
  handle: ({ client, query, snapshot }) => {
    checkShowroom(query.showroomCode, client, '/query/showroomCode')
    const jurisdiction = findJurisdiction(query.pricingCode ?? '', snapshot)
    const date = query.date ?? ''
    const year = yearOf(date, jurisdiction)
    const rules = year
      ? inForce(date, year.rules).map((rule) => describeRule(rule, year.financialYear, snapshot, date))
      : []
    return { body: { rules, supportedTaxRange: jurisdiction.range }, version: `${snapshot.release} ${date}` }
  },
}

/**
 * The rules that may give a line on a date, in the order of the set: of those with one id, the unconditional one of the
 * highest priority, and the conditional ones that come before it.
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
