import { datesInForce, yearDates } from './dates.ts'
import type { RateSetSpec } from './grammar/rate-set.ts'
import { DEFAULT_PRIORITY, type Rule } from './grammar/rule.ts'
import type { Program } from './compile/program.ts'
import { ruleId } from './compile/rule.ts'

export interface SourceSummary {
  readonly label: string
  readonly url: string
  readonly authority: string
  readonly kind: string
  readonly official: boolean
}

/** One rule as data: what `GET /v1/rules` shows of it. Dates are ISO, both inclusive. */
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
  /** Whether it applies to some vehicles only. */
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

/** What one pricing code offers in one financial year. */
export interface JurisdictionYear {
  readonly financialYear: string
  readonly startDate: string
  readonly endDate: string
  readonly timeZone: string
  readonly terms: readonly number[]
  readonly registrationTypes: readonly { readonly type: string; readonly startDate: string; readonly endDate: string }[]
  readonly concessions: readonly ConcessionSummary[]
  /** Own rules in file order, then those of the imports. */
  readonly rules: readonly RuleSummary[]
  readonly program: Program
}

/** A set's offers, concessions and rules as data, with those of its imports. */
export function summarize(spec: RateSetSpec, imports: readonly RateSetSpec[], program: Program): JurisdictionYear {
  const all = [spec, ...imports]
  return {
    financialYear: spec.financialYear,
    ...yearDates(spec.financialYear),
    timeZone: spec.timeZone,
    terms: [...(spec.offers?.terms ?? [])],
    registrationTypes: (spec.offers?.registrationTypes ?? []).map((each) => ({
      type: each.type,
      ...datesInForce(each, spec.financialYear),
    })),
    concessions: all.flatMap((each) => concessionsOf(each)),
    rules: all.flatMap((each) => each.rules.map((rule, position) => summarizeRule(rule, position, each))),
    program,
  }
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
