import { yearSuffix } from '../engine/dates.ts'
import type { Concession, RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Adjustment, Rule } from '../engine/grammar/rule.ts'
import { centsOf, resolverOn, valueOn, type Resolver, type Subject } from './amounts.ts'
import { money } from './money.ts'
import { AS_WRITTEN, type Vocabulary } from './vocabulary.ts'
import { roundWords } from './rate-words.ts'
import { allSaid, inPlace, orderStatement, placesOf, withTitle, type Place, type WordedStatement } from './said.ts'
import { definitionsOf, listed, MISSING, terms } from './definition-statements.ts'
import { conditionWords, titleOf } from './condition-words.ts'
import { isInForce, namedRules, rulesOn, type NamedRules } from './named-rules.ts'
import { conditionPlace, evidenceOf, missingStatements, ruleStatements } from './rule-statements.ts'
import { sourcesOf } from './source-words.ts'
import type { Statement } from './statement.ts'

export type { Statement } from './statement.ts'

/**
 * All statements of a set on an ISO day, by key: figures in dollars of that day, and what decides which of them
 * applies. The zones of postcodes are in postcode-statements.ts. `named` says which rules are named by their condition.
 */
export function statementsOn(
  subject: Subject,
  day: string,
  words: Vocabulary = AS_WRITTEN,
  named: NamedRules = namedRules([rulesOn(subject.spec, day)]),
): Map<string, Statement> {
  const { spec } = subject
  const resolver = resolverOn(subject, day, words)
  const all = [
    ...rulesOf(spec, day, { resolver, named }),
    ...parametersOf(spec, day, resolver),
    ...(spec.concessions ?? [])
      .filter((one) => isInForce(one, spec, day))
      .flatMap((one) => ofConcession(one, spec, resolver, day)),
    ...othersOf(spec, resolver, day),
  ]
  return keyed(all)
}

/** Statements by the key that identifies them. */
export const keyed = (all: readonly Statement[]): Map<string, Statement> =>
  new Map(all.map((one) => [`${listKey(one)}/${one.key}`, one]))

/** The key of the list part in which a statement is, down to some depth. */
export const listKey = ({ kind, component, places = [] }: Statement, depth = places.length): string =>
  [kind, component, ...places.slice(0, depth).map(({ list, name }) => `${list} ${name}`)].join('/')

function rulesOf(
  spec: RateSetSpec,
  day: string,
  { resolver, named }: { resolver: Resolver; named: NamedRules },
): Statement[] {
  const inForce = rulesOn(spec, day)
  return inForce.flatMap((rule) => {
    const { component, when } = rule
    const others = inForce.flatMap((one) => (one.component === component ? [one.when] : []))
    const isNamed = when ? named.special.has(component) : named.general.has(component)
    const title = isNamed ? titleOf(when, resolver, others) : undefined
    return inPlace(conditionPlace('rules', when), withTitle(title, ofRule(rule, spec, resolver)))
  })
}

function ofRule(rule: Rule, spec: RateSetSpec, resolver: Resolver): Statement[] {
  const { component, verification } = rule
  const ruleId = `${spec.pricingCode}_${component}_${yearSuffix(spec.financialYear)}`
  const sourced = sourcesOf(verification.sources, spec)
  return ruleStatements(rule, spec, resolver).map((said) => {
    const path = [`rules[${spec.rules.indexOf(rule)}]`, said.path].filter(Boolean).join('.')
    return { ...said, component, kind: 'rule', ruleId, ...sourced, path }
  })
}

function parametersOf(spec: RateSetSpec, day: string, { words }: Resolver): Statement[] {
  return (spec.parameters ?? []).flatMap((parameter, position) => {
    const { name, ...rest } = parameter
    allSaid(rest, { values: 'days', unit: 'words', label: 'words', description: 'words' })
    const value = valueOn(parameter, spec, day)
    if (!value) return []
    const heading = words.parameter(name)
    const part = { component: name, heading, kind: 'parameter' as const, ...sourcesOf(value.sources, spec) }
    const path = `parameters[${position}].values[${parameter.values.indexOf(value)}]`
    const figure = { unit: 'cents' as const, value: centsOf(value.value)! }
    return [
      { ...part, key: 'value', label: 'value', value: money(value.value), about: 'figure' as const, path, figure },
      { ...part, ...evidenceOf(value.evidence, value.upperBound) },
    ]
  })
}

function ofConcession(concession: Concession, spec: RateSetSpec, resolver: Resolver, day: string): Statement[] {
  const { type, label: heading, adjustments, sources, evidence, upperBound, ...rest } = concession
  allSaid(rest, { description: 'words', startDate: 'days', endDate: 'days' })
  const part = { component: type, heading, kind: 'concession' as const, ...sourcesOf(sources, spec) }
  const inForce = adjustments.filter((one) => isInForce(one, spec, day))
  const places = placesOf(inForce, adjustmentPlace)
  const all = inForce.flatMap((one, at) => inPlace(places[at]!, adjustmentStatements(one, resolver)))
  const order = inForce.map(
    (one) => `${resolver.words.name(`${one.component ?? one.basis}`)} ${conditionWords(one.when, resolver)}`,
  )
  const said = [
    evidenceOf(evidence, upperBound),
    ...all,
    orderStatement(resolver.words.labels.adjustments, order, places, resolver.words),
  ]
  return said.map((one) => ({ ...part, ...one }))
}

/** An adjustment is identified by what it lowers and by its condition. */
function adjustmentPlace({ component, basis, when }: Adjustment): Place {
  const shape = `${component ?? basis}`
  return { list: 'adjustments', name: `${shape} ${JSON.stringify(when ?? null)}`, shape }
}

function adjustmentStatements(adjustment: Adjustment, resolver: Resolver): WordedStatement[] {
  const { component, basis, percentOff, amountOff, set, when, perTerm, round, evidence, upperBound, ...rest } =
    adjustment
  allSaid(rest, { startDate: 'days', endDate: 'days', warning: 'words' })
  const label = resolver.words.name(`${component ?? basis}`)
  const off = percentOff === undefined ? amountOff && `${resolver.amount(amountOff)} off` : `${percentOff} % off`
  const words = [
    off ?? (set && resolver.words.instead(resolver.amount(set))),
    perTerm && resolver.words.perTerm,
    round && `rounded ${roundWords(round, resolver)}`,
    when && `where ${conditionWords(when, resolver)}`,
  ]
  const parts = words.filter((part) => typeof part === 'string')
  return [
    { key: 'adjusted', label, value: parts.join(', '), parts, about: 'figure' },
    ...(evidence ? [{ ...evidenceOf(evidence, upperBound), label: `${label}: evidence` }] : []),
  ]
}

type Others = Pick<RateSetSpec, 'offers' | 'classes' | 'derivedFacts' | 'bases'>

function othersOf(spec: RateSetSpec, resolver: Resolver, day: string): Statement[] {
  const { offers, classes, derivedFacts, bases, missing, timeZone, quotable = true, imports, ...rest } = spec
  allSaid(rest, {
    pricingCode: 'subject',
    financialYear: 'subject',
    withdrawn: 'subject',
    pin: 'subject',
    jurisdiction: 'words',
    sources: 'words',
    examples: 'words',
    parameters: 'subject',
    rules: 'subject',
    concessions: 'subject',
    termScales: 'subject',
    zones: 'subject',
  } as const)
  return [
    terms('offers', 'quotable', 'can be quoted', quotable ? 'yes' : 'no'),
    terms('offers', 'timeZone', 'time zone', timeZone),
    listed('offers', ['imports', 'reads'], imports ?? [], ', '),
    ...offersOf(offers, spec, day),
    ...definitionsOf(
      { ...(classes && { classes }), ...(derivedFacts && { derivedFacts }), ...(bases && { bases }) },
      resolver,
    ),
    ...missingStatements(missing ?? [], resolver).map((said) => ({
      ...said,
      component: MISSING,
      kind: 'other' as const,
      sources: [],
    })),
  ]
}

function offersOf(offers: Others['offers'], spec: RateSetSpec, day: string): Statement[] {
  const registrations = (offers?.registrationTypes ?? []).filter((one) => isInForce(one, spec, day))
  return [
    listed('offers', ['terms', 'terms in months'], (offers?.terms ?? []).map(String), ', '),
    listed(
      'offers',
      ['types', 'registration types'],
      registrations.map(({ type }) => type),
      ', ',
    ),
  ]
}
