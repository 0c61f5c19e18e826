import { covers } from '../engine/dates.ts'
import type { RuleCoverage, SetCoverage } from './cover-sets.ts'
import type { Grade } from './figures.ts'

/**
 * How much of a component is priced. `in part`: some vehicles have no price. `no line`: nothing is charged under this
 * component.
 */
export type PriceState = 'priced' | 'in part' | 'not priced' | 'no line'

/** A rule in force on a day. */
export interface RuleOnDay {
  ruleId: string
  component: string
  name: string
  startDate: string
  endDate: string
  priced: PriceState
  grades: Grade[]
  unpriced: string[]
  exempt: string[]
  estimates: string[]
  sources: string[]
  verifiedOn: string
  reviewBy: string
  pastReview: boolean
}

/** One pricing code on a day; without `set` no rate set of the code is in force. */
export interface CodeOnDay {
  pricingCode: string
  set?: string
  rules: RuleOnDay[]
  /**
   * Components that the code lacks on this day but has in the previous year, or, without a previous year, in the next.
   */
  missing: string[]
}

export interface DayCoverage {
  on: string
  codes: CodeOnDay[]
  totals: { rules: number; missing: number; inPart: number; notPriced: number; pastReview: number }
}

/** The coverage of an ISO day: what is in force, and what is missing, not priced or past its review date. */
export function coverDay(sets: readonly SetCoverage[], on: string): DayCoverage {
  const byCode = Map.groupBy(sets, ({ pricingCode }) => pricingCode)
  const codes = [...byCode].map(([pricingCode, own]) => codeOnDay(pricingCode, own, on))
  const rules = codes.flatMap((code) => code.rules)
  const count = (outcome: PriceState) => rules.filter(({ priced }) => priced === outcome).length
  return {
    on,
    codes,
    totals: {
      rules: rules.length,
      missing: codes.reduce((sum, { missing }) => sum + missing.length, 0),
      inPart: count('in part'),
      notPriced: count('not priced'),
      pastReview: rules.filter(({ pastReview }) => pastReview).length,
    },
  }
}

function codeOnDay(pricingCode: string, own: readonly SetCoverage[], on: string): CodeOnDay {
  const set = own.find((one) => covers(one, on))
  const rules = (set?.rules ?? []).filter((rule) => covers(rule, on)).map((rule) => ruleOnDay(rule, on))
  const before = own.findLast(({ endDate }) => endDate < on) ?? own.find(({ startDate }) => startDate > on)
  const there = new Set(rules.map(({ component }) => component))
  const known = new Set((before ?? set)?.rules.map(({ component }) => component))
  const missing = [...known].filter((component) => !there.has(component))
  return { pricingCode, ...(set && { set: set.name }), rules, missing }
}

function ruleOnDay(rule: RuleCoverage, on: string): RuleOnDay {
  const sources = rule.sources.map(({ label }) => label)
  return { ...rule, priced: pricedOf(rule), sources, pastReview: rule.reviewBy < on }
}

/** How much of what a rule covers has a figure. */
export function pricedOf({ grades, unpriced }: Pick<RuleCoverage, 'grades' | 'unpriced'>): PriceState {
  if (grades.length === 0) return unpriced.length === 0 ? 'no line' : 'not priced'
  return unpriced.length === 0 ? 'priced' : 'in part'
}
