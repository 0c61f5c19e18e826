import { isoOf, yearBounds, yearSuffix } from '../engine/dates.ts'
import type { BasisCase, Concession, RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Adjustment, Rule } from '../engine/grammar/rule.ts'
import { centsOf, money, resolverOn, valueOn, type Resolver, type Subject } from './amounts.ts'
import { roundWords } from './rate-words.ts'
import { allSaid, type Said } from './said.ts'
import { conditionWords } from './condition-words.ts'
import { postcodesOf, ZONES } from './zone-statements.ts'
import { evidenceOf, missingStatement, ruleStatements } from './rule-statements.ts'
import { sourcesOf, type Sourced } from './source-words.ts'

/** One thing that a set says on a day; `component` is what it is said of, a component or another named part. */
export interface Statement extends Said, Pick<Sourced, 'sources'>, Partial<Pick<Sourced, 'official'>> {
  component: string
  kind: 'rule' | 'parameter' | 'concession' | 'other'
  ruleId?: string
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
      .flatMap((one) => ofConcession(one, spec, resolver, day)),
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
  const sourced = sourcesOf(verification.sources, spec)
  return ruleStatements(rule, spec, resolver).map((said) => {
    const path = [`rules[${spec.rules.indexOf(rule)}]`, said.path].filter(Boolean).join('.')
    return { ...said, component, kind: 'rule', key: `${nth}.${said.key}`, ruleId, ...sourced, path }
  })
}

function parametersOf(spec: RateSetSpec, day: string): Statement[] {
  return (spec.parameters ?? []).flatMap((parameter, position) => {
    const { name, ...rest } = parameter
    allSaid(rest, { values: 'days', unit: 'words', description: 'words' })
    const value = valueOn(parameter, spec, day)
    if (!value) return []
    const part = { component: name, kind: 'parameter' as const, ...sourcesOf(value.sources, spec) }
    const path = `parameters[${position}].values[${parameter.values.indexOf(value)}]`
    const figure = { unit: 'cents' as const, value: centsOf(value.value)! }
    return [
      { ...part, key: 'value', label: 'value', value: money(value.value), about: 'figure' as const, path, figure },
      { ...part, ...evidenceOf(value.evidence) },
    ]
  })
}

function ofConcession(concession: Concession, spec: RateSetSpec, resolver: Resolver, day: string): Statement[] {
  const { type, adjustments, sources, evidence, ...rest } = concession
  allSaid(rest, { label: 'words', description: 'words', startDate: 'days', endDate: 'days' })
  const part = { component: type, kind: 'concession' as const, ...sourcesOf(sources, spec) }
  return [
    { ...part, ...evidenceOf(evidence) },
    ...adjustments.flatMap((one, at) =>
      covers(one, spec, day) ? adjustmentStatements(one, at, resolver).map((said) => ({ ...part, ...said })) : [],
    ),
  ]
}

function adjustmentStatements(adjustment: Adjustment, at: number, resolver: Resolver): Said[] {
  const { component, basis, percentOff, amountOff, set, when, perTerm, round, evidence, ...rest } = adjustment
  allSaid(rest, { startDate: 'days', endDate: 'days', warning: 'words' })
  const label = `${component ?? basis}`
  const key = `${label}#${at}`
  const off = percentOff === undefined ? amountOff && `${resolver.amount(amountOff)} off` : `${percentOff} % off`
  const words = [
    off ?? (set && `${resolver.amount(set)} in its place`),
    perTerm && 'for 12 months, by the term',
    round && `rounded ${roundWords(round)}`,
    when && `where ${conditionWords(when, resolver)}`,
  ]
  return [
    { key, label, value: words.filter(Boolean).join(', '), about: 'figure' },
    ...(evidence ? [{ ...evidenceOf(evidence), key: `${key}.evidence`, label: `${label}: evidence` }] : []),
  ]
}

type Others = Pick<RateSetSpec, 'offers' | 'classes' | 'derivedFacts' | 'bases'>

const terms = (component: string, key: string, label: string, value: string): Statement => {
  return { component, kind: 'other', key, label, value, about: 'terms', sources: [] }
}

function othersOf(spec: RateSetSpec, resolver: Resolver, day: string): Statement[] {
  const { offers, classes, derivedFacts, zones, bases, missing, timeZone, quotable = true, imports, ...rest } = spec
  allSaid(rest, {
    ...{
      pricingCode: 'subject',
      financialYear: 'subject',
      withdrawn: 'subject',
      jurisdiction: 'words',
      sources: 'words',
      examples: 'words',
    },
    ...{ parameters: 'subject', rules: 'subject', concessions: 'subject', termScales: 'subject' },
  } as const)
  return [
    terms('offers', 'quotable', 'can be quoted', quotable ? 'yes' : 'no'),
    terms('offers', 'timeZone', 'time zone', timeZone),
    terms('offers', 'imports', 'reads', (imports ?? []).join(', ')),
    ...offersOf(offers, spec, day),
    ...definitionsOf(
      { ...(classes && { classes }), ...(derivedFacts && { derivedFacts }), ...(bases && { bases }) },
      resolver,
    ),
    ...(zones ?? []).flatMap((one, at) =>
      postcodesOf(one).map(({ zone, postcodes }) => ({
        ...terms(`${ZONES}${one.name}`, zone, zone, postcodes),
        path: `zones[${at}]`,
      })),
    ),
    ...(missing ?? []).map((entry, at) => {
      const said = missingStatement(entry, at, resolver)
      return { ...said, component: said.label, kind: 'other' as const, label: 'is taken', sources: [] }
    }),
  ]
}

function offersOf(offers: Others['offers'], spec: RateSetSpec, day: string): Statement[] {
  const registrations = (offers?.registrationTypes ?? []).filter((one) => covers(one, spec, day))
  return [
    terms('offers', 'terms', 'terms in months', (offers?.terms ?? []).join(', ')),
    terms('offers', 'types', 'registration types', registrations.map(({ type }) => type).join(', ')),
  ]
}

function definitionsOf(
  { classes, derivedFacts, bases }: Pick<Others, 'classes' | 'derivedFacts' | 'bases'>,
  resolver: Resolver,
): Statement[] {
  return [
    ...(classes ?? []).map(({ name, anyOf }) =>
      terms(`class ${name}`, 'anyOf', 'holds for', anyOf.map((one) => conditionWords(one, resolver)).join(' | ')),
    ),
    ...(derivedFacts ?? []).map(({ name, sum }) =>
      terms(name, 'sum', 'sum of', sum.map(({ fact, times = '1' }) => `${times} × ${fact}`).join(' + ')),
    ),
    ...(bases ?? []).map(({ name, cases }) =>
      terms(name, 'cases', 'computed as', cases.map((one) => basisWords(one, resolver)).join(' | ')),
    ),
  ]
}

function basisWords({ when, sum, greatest, firstPresent, minus, ...rest }: BasisCase, resolver: Resolver): string {
  allSaid(rest, { warning: 'words' })
  const list = (word: string, of: readonly string[] | undefined) =>
    of ? [`${word} ${of.map((term) => resolver.amount(term)).join(', ')}`] : []
  return [
    ...(when ? [`where ${conditionWords(when, resolver)}:`] : []),
    ...list('sum of', sum),
    ...list('greatest of', greatest),
    ...list('first sent of', firstPresent),
    ...list('less', minus),
  ].join(' ')
}
