import { datesInForce } from './dates.ts'
import { ruleId } from './compile/rule.ts'
import type { RateSetSpec } from './grammar/rate-set.ts'
import { DEFAULT_PRIORITY } from './grammar/default-priority.ts'
import type { Rule } from './grammar/rule.ts'
import type { JurisdictionYear } from './summaries.ts'

export interface SourceSummary {
  readonly label: string
  readonly url: string
  readonly authority: string
  readonly kind: string
  readonly official: boolean
}

/** One rule as data, as `GET /v1/rules` shows it. Dates are ISO, both inclusive. */
export interface RuleSummary {
  readonly id: string
  readonly component: string
  readonly category: 'dutiable' | 'onRoad' | 'additional'
  readonly name: string
  readonly description: string
  readonly pricingCode: string
  readonly startDate: string
  readonly endDate: string
  readonly priority: number
  /** Position among the rules of its set. */
  readonly position: number
  /** Whether it applies only to some vehicles. */
  readonly conditional: boolean
  readonly verification: {
    readonly mode: string
    readonly componentType: string
    readonly evidence: string
    readonly verifiedOn: string
    readonly reviewBy: string
    readonly officialSources: readonly SourceSummary[]
  }
}

/** One concession as data; dates are ISO, both inclusive. */
export interface ConcessionSummary {
  readonly type: string
  readonly label: string
  readonly description: string
  readonly startDate: string
  readonly endDate: string
}

/** The rules of a year as data: the set's own in file order, then those of the imports. */
export function rulesOfYear({ specs }: Pick<JurisdictionYear, 'specs'>): RuleSummary[] {
  return specs.flatMap((each) => each.rules.map((rule, position) => summarizeRule(rule, position, each)))
}

/** The concessions of a year as data: the set's own in file order, then those of the imports. */
export function concessionsOfYear({ specs }: Pick<JurisdictionYear, 'specs'>): ConcessionSummary[] {
  return specs.flatMap((each) => concessionsOf(each))
}

function concessionsOf(spec: RateSetSpec): ConcessionSummary[] {
  return (spec.concessions ?? []).map((each) => {
    const { type, label, description } = each
    return { type, label, description, ...datesInForce(each, spec.financialYear) }
  })
}

function summarizeRule(rule: Rule, position: number, spec: RateSetSpec): RuleSummary {
  const { component, category, name, description, verification } = rule
  const { mode, componentType, evidence, verifiedOn, reviewBy } = verification
  const sources = spec.sources.filter((source) => verification.sources.includes(source.name))
  return {
    id: ruleId(spec.pricingCode, component, spec.financialYear),
    component,
    category,
    name,
    description,
    pricingCode: spec.pricingCode,
    ...datesInForce(rule, spec.financialYear),
    priority: rule.priority ?? DEFAULT_PRIORITY,
    position,
    conditional: rule.when !== undefined,
    verification: {
      mode,
      componentType,
      evidence,
      verifiedOn,
      reviewBy,
      officialSources: sources.map(({ label, url, authority, kind, official }) => ({
        label,
        url,
        authority,
        kind,
        official,
      })),
    },
  }
}
