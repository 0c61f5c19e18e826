import { subjectOf, type Subject } from '../checks/subject.ts'
import type { Concession, RateSetSpec, Source } from '../engine/grammar/rate-set.ts'
import type { Conflict, Rule } from '../engine/grammar/rule.ts'
import { datesInForce, yearDates } from '../engine/dates.ts'
import { ruleId } from '../engine/compile/rule.ts'
import { rateSetName } from '../published/financial-year.ts'
import { figuresOf, graded, unpublishedRows, type Grade } from './figures.ts'

/** The coverage of one rule; dates are ISO, both inclusive. */
export interface RuleCoverage {
  ruleId: string
  component: string
  name: string
  startDate: string
  endDate: string
  /** The grades of the figures that may be charged, most certain first; empty when nothing is charged. */
  grades: Grade[]
  /** The messages of a quote when the component is not priced. */
  unpriced: string[]
  /** The reasons for an exemption, when nothing is charged. */
  exempt: string[]
  /** The warnings of a quote that contains an estimate. */
  estimates: string[]
  /** Conflicting sources: the figure used, the figure rejected, and why. */
  conflicts: string[]
  sources: Source[]
  verifiedOn: string
  reviewBy: string
}

export interface ConcessionCoverage {
  type: string
  label: string
  startDate: string
  endDate: string
  grades: Grade[]
  sources: Source[]
}

/** A published figure that an example of the set executes. */
export interface PublishedFigure {
  name: string
  note: string
  sources: Source[]
}

/** The coverage of one rate set without its imports. */
export interface SetCoverage {
  name: string
  pricingCode: string
  financialYear: string
  startDate: string
  endDate: string
  rules: RuleCoverage[]
  concessions: ConcessionCoverage[]
  published: PublishedFigure[]
}

/** The coverage of some rate sets, by pricing code and year; withdrawn sets are left out. */
export function coverSets(specs: readonly RateSetSpec[]): SetCoverage[] {
  const published = specs.filter(({ withdrawn }) => withdrawn !== true)
  return published.map((spec) => coverSet(spec, published)).toSorted(byCodeAndYear)
}

const sortKey = ({ pricingCode, financialYear }: SetCoverage) => `${pricingCode} ${financialYear}`

const byCodeAndYear = (a: SetCoverage, b: SetCoverage) => (sortKey(a) < sortKey(b) ? -1 : 1)

function coverSet(spec: RateSetSpec, all: readonly RateSetSpec[]): SetCoverage {
  const { pricingCode, financialYear, imports } = spec
  const imported = all.filter((one) => imports?.includes(one.pricingCode) && one.financialYear === financialYear)
  const subject = subjectOf(spec, imported)
  return {
    name: rateSetName(pricingCode, financialYear),
    pricingCode,
    financialYear,
    ...yearDates(financialYear),
    rules: spec.rules.map((rule) => coverRule(rule, subject)),
    concessions: (spec.concessions ?? []).map((concession) => coverConcession(concession, subject)),
    published: publishedFigures(subject),
  }
}

function coverRule(rule: Rule, subject: Subject): RuleCoverage {
  const { component, name, verification } = rule
  const figures = figuresOf(rule, subject)
  const estimates = figures.flatMap(({ grade, warning }) => (grade === 'estimate' && warning ? [warning] : []))
  return {
    ruleId: ruleId(subject.spec.pricingCode, component, subject.spec.financialYear),
    component,
    name,
    ...datesInForce(rule, subject.spec.financialYear),
    grades: graded(figures.map(({ grade }) => grade)),
    unpriced: unpricedOf(rule),
    exempt: [...new Set(rule.cases.flatMap(({ exempt }) => exempt?.reason ?? []))],
    estimates: [...new Set(estimates)],
    conflicts: (verification.conflicts ?? []).map(conflictText),
    sources: sourcesNamed(verification.sources, subject),
    verifiedOn: verification.verifiedOn,
    reviewBy: verification.reviewBy,
  }
}

const conflictText = ({ taken, leftOut, because }: Conflict) => `Taken: ${taken}. Left out: ${leftOut}. ${because}`

function unpricedOf(rule: Rule): string[] {
  const texts = rule.cases.flatMap(({ unpriced }) => unpriced ?? [])
  const rows = [...new Set(unpublishedRows(rule))].map((row) => row || 'the rest')
  return [...new Set([...texts, ...(rows.length > 0 ? [`No amount is published for: ${rows.join(', ')}.`] : [])])]
}

function coverConcession(concession: Concession, subject: Subject): ConcessionCoverage {
  const { type, label, evidence, sources, adjustments } = concession
  const grades = adjustments.map((each) => each.evidence ?? evidence)
  return {
    type,
    label,
    ...datesInForce(concession, subject.spec.financialYear),
    grades: graded(grades),
    sources: sourcesNamed(sources, subject),
  }
}

const publishedFigures = (subject: Subject): PublishedFigure[] =>
  (subject.spec.examples ?? [])
    .filter(({ source }) => source.kind === 'published')
    .map(({ name, source }) => ({ name, note: source.note ?? '', sources: sourcesNamed([source.name], subject) }))

const sourcesNamed = (names: readonly string[], { spec }: Subject): Source[] =>
  spec.sources.filter(({ name }) => names.includes(name))
