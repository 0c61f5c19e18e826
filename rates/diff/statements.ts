import { isoOf, yearBounds, yearSuffix } from '../engine/dates.ts'
import type { BasisCase, Concession, RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Adjustment, Rule } from '../engine/grammar/rule.ts'
import { centsOf, money, resolverOn, valueOn, type Resolver, type Subject } from './amounts.ts'
import type { Said } from './charge-statements.ts'
import { conditionWords } from './condition-words.ts'
import { evidenceOf, ruleStatements, sourceLabels } from './rule-statements.ts'

/** One thing that a set says on a day; `component` is what it is said of, a component or another named part. */
export interface Statement extends Said {
  component: string
  kind: 'rule' | 'parameter' | 'concession' | 'other'
  ruleId?: string
  /** Titles. */
  sources: readonly string[]
}

/** All that a set says on a day, ISO, by key: figures in dollars of that day, and what decides which of them applies. */
export function statementsOn(subject: Subject, day: string): Map<string, Statement> {
  const { spec } = subject
  const resolver = resolverOn(subject, day)
  const all = [
    ...rulesOn(spec, day).flatMap((rule, at, rules) => ofRule(rule, rules.slice(0, at), spec, resolver)),
    ...parametersOf(spec, day),
    ...(spec.concessions ?? [])
      .filter((one) => covers(one, spec, day))
      .flatMap((one) => ofConcession(one, spec, resolver)),
    ...othersOf(spec, resolver, day),
  ]
  return new Map(all.map((one) => [`${one.kind}/${one.component}/${one.key}`, one]))
}

/** Whether a dated part of a set is in force on a day, ISO. */
function covers(part: { startDate?: string; endDate?: string }, { financialYear }: RateSetSpec, day: string): boolean {
  const { start, end } = yearBounds(financialYear)
  return (part.startDate ?? isoOf(start)) <= day && day <= (part.endDate ?? isoOf(end))
}

const rulesOn = (spec: RateSetSpec, day: string): Rule[] =>
  spec.rules.filter((rule) => covers(rule, spec, day)).toSorted((a, b) => (b.priority ?? 100) - (a.priority ?? 100))

function ofRule(rule: Rule, before: readonly Rule[], spec: RateSetSpec, resolver: Resolver): Statement[] {
  const { component, verification } = rule
  const nth = before.filter((one) => one.component === component).length
  const ruleId = `${spec.pricingCode}_${component}_${yearSuffix(spec.financialYear)}`
  const sources = sourceLabels(verification.sources, spec)
  return ruleStatements(rule, spec, resolver).map((said) => {
    const path = `rules[${spec.rules.indexOf(rule)}].${said.path}`
    return { ...said, component, kind: 'rule', key: `${nth}.${said.key}`, ruleId, sources, path }
  })
}

function parametersOf(spec: RateSetSpec, day: string): Statement[] {
  return (spec.parameters ?? []).flatMap((parameter, position) => {
    const value = valueOn(parameter, spec, day)
    if (!value) return []
    const sources = sourceLabels(value.sources, spec)
    const part = { component: parameter.name, kind: 'parameter' as const, sources }
    const path = `parameters[${position}].values[${parameter.values.indexOf(value)}]`
    const figure = { unit: 'cents' as const, value: centsOf(value.value)! }
    return [
      { ...part, key: 'value', label: 'value', value: money(value.value), about: 'figure' as const, path, figure },
      { ...part, ...evidenceOf(value.evidence), path: `${path}.evidence` },
    ]
  })
}

function ofConcession(concession: Concession, spec: RateSetSpec, resolver: Resolver): Statement[] {
  const { type, adjustments, sources, evidence } = concession
  const part = { component: type, kind: 'concession' as const, sources: sourceLabels(sources, spec) }
  const path = `concessions[${spec.concessions?.indexOf(concession)}]`
  return [
    { ...part, ...evidenceOf(evidence), path: `${path}.evidence` },
    ...adjustments.map((one, at) => ({
      ...part,
      key: `${one.component ?? one.basis}#${at}`,
      label: `${one.component ?? one.basis}`,
      value: adjustmentWords(one, resolver),
      about: 'figure' as const,
      path: `${path}.adjustments[${at}]`,
    })),
  ]
}

function adjustmentWords(
  { percentOff, amountOff, set, when, startDate, endDate }: Adjustment,
  resolver: Resolver,
): string {
  const off = percentOff === undefined ? amountOff && `${resolver.amount(amountOff)} off` : `${percentOff} % off`
  const dates = [startDate && `from ${startDate}`, endDate && `until ${endDate}`]
  const where = when ? `where ${conditionWords(when, resolver)}` : undefined
  return [off ?? (set && `${resolver.amount(set)} in its place`), where, ...dates].filter(Boolean).join(', ')
}

/** Something that is no rule, parameter or concession. */
function other(place: { component: string; key: string; path: string }, label: string, value: string): Statement {
  return { ...place, kind: 'other', label, value, about: 'terms', sources: [] }
}

function othersOf(spec: RateSetSpec, resolver: Resolver, day: string): Statement[] {
  return [...offersOf(spec, day), ...namedTestsOf(spec, resolver), ...amountsOf(spec, resolver)]
}

function offersOf(spec: RateSetSpec, day: string): Statement[] {
  const { terms = [], registrationTypes = [] } = spec.offers ?? {}
  const types = registrationTypes.filter((one) => covers(one, spec, day)).map(({ type }) => type)
  const place = (key: string, path: string) => ({ component: 'offers', key, path })
  return [
    other(place('terms', 'offers.terms'), 'terms in months', terms.join(', ')),
    other(place('types', 'offers.registrationTypes'), 'registration types', types.join(', ')),
  ]
}

function namedTestsOf({ classes = [], derivedFacts = [], zones = [] }: RateSetSpec, resolver: Resolver): Statement[] {
  return [
    ...classes.map(({ name, anyOf }, at) => {
      const place = { component: `class ${name}`, key: 'anyOf', path: `classes[${at}]` }
      return other(place, 'holds for', anyOf.map((one) => conditionWords(one, resolver)).join(' | '))
    }),
    ...derivedFacts.map(({ name, sum }, at) => {
      const place = { component: name, key: 'sum', path: `derivedFacts[${at}]` }
      return other(place, 'sum of', sum.map(({ fact, times = '1' }) => `${times} × ${fact}`).join(' + '))
    }),
    ...zones.flatMap(({ name, values }, list) =>
      values.map(({ zone, postcodes }, at) => {
        const place = { component: `zones ${name}`, key: zone, path: `zones[${list}].values[${at}]` }
        return other(place, zone, postcodes.join(', '))
      }),
    ),
  ]
}

function amountsOf({ bases = [], missing = [] }: RateSetSpec, resolver: Resolver): Statement[] {
  return [
    ...bases.map(({ name, cases }, at) => {
      const place = { component: name, key: 'cases', path: `bases[${at}]` }
      return other(place, 'computed as', cases.map((one) => basisWords(one, resolver)).join(' | '))
    }),
    ...missing.map((entry, at) => {
      const what = entry.fact ?? entry.class ?? entry.zone ?? ''
      const place = { component: `without ${what}`, key: `missing#${at}`, path: `missing[${at}]` }
      return other(place, 'is taken', entry.unpriced ?? entry.assume ?? 'refused')
    }),
  ]
}

function basisWords({ when, sum, greatest, firstPresent, minus }: BasisCase, resolver: Resolver): string {
  const list = (word: string, terms: readonly string[] | undefined) =>
    terms ? [`${word} ${terms.map((term) => resolver.amount(term)).join(', ')}`] : []
  return [
    ...(when ? [`where ${conditionWords(when, resolver)}:`] : []),
    ...list('sum of', sum),
    ...list('greatest of', greatest),
    ...list('first sent of', firstPresent),
    ...list('less', minus),
  ].join(' ')
}
