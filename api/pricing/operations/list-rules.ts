import type { RuleSummary } from '#rates/engine/summaries.ts'
import { checkShowroom } from '../check-showroom.ts'
import { covers, findJurisdiction, yearOf } from '../find-jurisdiction.ts'
import type { Operation } from '../operation.ts'

/** `GET /v1/rules`. */
export const listRules: Operation = {
  operationId: 'listRules',
  grant: 'pricing:quote',
  bodyLimit: 0,
  handle: ({ client, query, snapshot }) => {
    checkShowroom(query.showroomCode, client, '/query/showroomCode')
    const jurisdiction = findJurisdiction(query.pricingCode ?? '', snapshot)
    const date = query.date ?? ''
    const rules = winnersOn(date, yearOf(date, jurisdiction)?.rules ?? [])
    const body = { rules: rules.map(toRule), supportedTaxRange: jurisdiction.range }
    return { body, version: `${snapshot.release} ${date}` }
  },
}

/** Of the rules with one id that cover a date, the one of the highest priority, in the order of the set. */
function winnersOn(date: string, rules: readonly RuleSummary[]): RuleSummary[] {
  const winners = new Map<string, RuleSummary>()
  for (const rule of rules) {
    if (!covers(rule, date)) continue
    const other = winners.get(rule.id)
    if (!other || rule.priority > other.priority) winners.set(rule.id, rule)
  }
  return [...winners.values()]
}

function toRule(rule: RuleSummary): object {
  const { id, name, description, pricingCode, startDate, endDate, priority, verification } = rule
  const { mode, componentType, officialSources } = verification
  return {
    id,
    name,
    description,
    pricingCode,
    startDate,
    endDate,
    priority,
    verification: { mode, componentType, officialSources },
  }
}
