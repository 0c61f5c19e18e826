import { compileAmount, type Amount } from './amount.ts'
import { compileCharge, compileRound, type ChargedOn, type Step } from './charge/charge.ts'
import { compileWhen } from './conditions.ts'
import { inForce, isoOf, yearSuffix } from '../dates.ts'
import { compileEdges } from './edges.ts'
import { parseExact, type Exact } from '../exact.ts'
import type { Candidates } from './candidates.ts'
import type { Fact } from '../grammar/facts.ts'
import { DEFAULT_PRIORITY } from '../grammar/default-priority.ts'
import type { Case, Rule, TermFactor } from '../grammar/rule.ts'
import { gradeOf } from '../grade.ts'
import { compileMissing, DEFAULTS, EntryIndex, presetsOf, type Entry } from './missing.ts'
import { placeIn, refuse, type Basis, type Place, type Scope } from './scope.ts'
import { NO_WARNINGS, type Figure, type Test } from '../state.ts'

export interface CompiledCase {
  readonly when: Test | null
  readonly outcome: 'charge' | 'omit' | 'zero' | 'unpriced' | 'reject'
  readonly charge: Figure | null
  /** The reason of an exemption, or the message for a component without a price. */
  readonly text: string
  /** The case's grade, as a number of grade.ts. */
  readonly evidence: number
  readonly warnings: readonly string[]
  readonly path: string
}

export interface CompiledTerm {
  readonly months: number
  /** The factor of the term; null when the line depends on the days of the term. */
  readonly factor: Exact | null
  readonly written: string
  readonly plus: Amount | null
  readonly round: Step | null
  /** The term's grade, as a number of grade.ts; 0 when the term has no grade of its own. */
  readonly evidence: number
  readonly warnings: readonly string[]
}

export interface CompiledRule {
  readonly id: string
  readonly component: string
  /** Pricing code of the set that defines the rule. */
  readonly pricingCode: string
  readonly name: string
  readonly path: string
  /** Position among the rules of its set; the rules of imports come after the set's own. */
  readonly index: number
  readonly imported: boolean
  readonly from: number
  readonly to: number
  /** First day in force, as an ISO date. */
  readonly startDate: string
  readonly priority: number
  readonly evidence: number
  /** The share of the line that is GST, or null. */
  readonly gst: Exact | null
  readonly when: Test | null
  readonly cases: readonly CompiledCase[]
  /** Whether lines of zero can have different grades. */
  readonly gradesNothing: boolean
  readonly basis: Basis | undefined
  /** Values of the basis at which the line may jump. */
  readonly edges: readonly Amount[]
  readonly needs: ReadonlySet<string>
  /** The terms by their months; null when the line does not depend on the term. */
  readonly terms: ReadonlyMap<number, CompiledTerm> | null
  /** The rule's own entries, then the entries of the set, then the interface's defaults. */
  readonly missing: readonly Entry[]
  readonly entries: EntryIndex
  /** Returns the values of facts that the rules of the component can tell apart. */
  readonly candidates: () => Candidates
  readonly fallbacks: ReadonlyMap<string, readonly Fact[]>
  /** The value of each entry that last made a difference; it is tried first, and no answer depends on it. */
  readonly told: Map<Entry, number>
  /** Returns the entries whose value is assumed whatever else is unknown; computed on the first call. */
  readonly presets: () => readonly Entry[]
  readonly spec: Rule
  readonly sources: Explained
}

export type Explained = readonly { label: string; url: string; authority: string; official: boolean }[]

/**
 * Identifier of the rules of a component: `<code>_<COMPONENT>_FY<yy>`, with the code of the set that defines the
 * component.
 */
export const ruleId = (code: string, component: string, financialYear: string): string =>
  `${code}_${component}_${yearSuffix(financialYear)}`

/** Compiles one rule; `missing` has the compiled entries of its set. */
export function compileRule(rule: Rule, index: number, scope: Scope, missing: readonly Entry[]): CompiledRule {
  const place = placeIn(scope, `rules[${index}]`)
  const { financialYear } = scope.spec
  const basis = rule.basis === undefined ? undefined : scope.basisOf(rule.basis, place.at('basis'))
  const needs = new Set(basis?.needs)
  const evidence = gradeOf(rule.verification)
  const dates = inForce(rule, financialYear)
  const cases = rule.cases.map((each, at) => compileCase(each, place.at(`cases[${at}]`), { basis, needs, evidence }))
  return {
    id: ruleId(scope.code, rule.component, financialYear),
    component: rule.component,
    pricingCode: scope.code,
    name: rule.name,
    path: place.path,
    index,
    imported: scope.imported,
    ...dates,
    startDate: isoOf(dates.from),
    priority: rule.priority ?? DEFAULT_PRIORITY,
    evidence,
    gst: gstOf(rule.gst),
    when: compileWhen(rule.when, place, basis),
    cases,
    gradesNothing: gradesNothing(cases),
    basis,
    edges: compileEdges(rule, place),
    needs,
    terms: compileTerms(rule, place),
    ...withEntries([...compileMissing(rule.missing, place), ...missing, ...DEFAULTS]),
    candidates: scope.candidatesOf(rule.component, place),
    fallbacks: scope.fallbacks,
    spec: rule,
    sources: sourcesOf(rule, place),
  }
}

/**
 * Prepares the entries of a rule: indexed by what they are about, the entries that are always used, and the values that
 * made a difference before.
 */
const withEntries = (missing: readonly Entry[]) => ({
  missing,
  entries: new EntryIndex(missing),
  presets: presetsOf(missing),
  told: new Map<Entry, number>(),
})

const gradesNothing = (cases: readonly CompiledCase[]): boolean =>
  new Set(cases.filter(({ outcome }) => outcome === 'zero').map(({ evidence }) => evidence)).size > 1

function gstOf(text: string): Exact | null {
  return text === 'none' ? null : parseExact(text)
}

/** Compiles a case of a rule; a case without a grade has the grade of the rule. */
function compileCase(spec: Case, place: Place, of: ChargedOn & { evidence: number }): CompiledCase {
  const evidence = spec.evidence ? gradeOf({ ...spec, evidence: spec.evidence }) : of.evidence
  const charge = spec.charge ? compileCharge(spec.charge, place.at('charge'), of) : null
  return {
    when: compileWhen(spec.when, place, of.basis),
    outcome: outcomeKind(spec, place),
    charge,
    text: spec.exempt?.reason ?? spec.unpriced ?? spec.warning ?? '',
    evidence,
    warnings: spec.warning ? [spec.warning] : NO_WARNINGS,
    path: place.path,
  }
}

function outcomeKind(spec: Case, place: Place): CompiledCase['outcome'] {
  if (spec.charge) return 'charge'
  if (spec.exempt) return spec.exempt.line
  if (spec.unpriced) return 'unpriced'
  return spec.reject ? 'reject' : refuse(place, 'expected charge, exempt, unpriced or reject')
}

function compileTerms(rule: Rule, place: Place): CompiledRule['terms'] {
  if (rule.terms)
    return new Map(rule.terms.map((term, at) => [term.months, compileTerm(term, place.at(`terms[${at}]`))]))
  if (rule.termScale === undefined) return null
  const { scope } = place
  const scales = scope.spec.termScales ?? []
  const found = scales.findIndex(({ name }) => name === rule.termScale)
  const scale = scales[found] ?? refuse(place.at('termScale'), `there is no term scale ${rule.termScale}`)
  const scalePlace = placeIn(scope, `termScales[${found}]`)
  return new Map(scale.terms.map((term, at) => [term.months, compileTerm(term, scalePlace.at(`terms[${at}]`))]))
}

function compileTerm(term: TermFactor, place: Place): CompiledTerm {
  return {
    months: term.months,
    factor: term.factor === 'days' ? null : parseExact(term.factor),
    written: term.factor,
    plus: term.plus === undefined ? null : compileAmount(term.plus, place.at('plus')),
    round: compileRound(term.round),
    evidence: term.evidence ? gradeOf({ ...term, evidence: term.evidence }) : 0,
    warnings: term.warning ? [term.warning] : NO_WARNINGS,
  }
}

function sourcesOf(rule: Rule, place: Place): Explained {
  return rule.verification.sources.map((name) => {
    const found = place.scope.spec.sources.find((each) => each.name === name)
    if (!found) return refuse(place.at('verification.sources'), `there is no source ${name}`)
    const { label, url, authority, official } = found
    return Object.freeze({ label, url, authority, official })
  })
}
