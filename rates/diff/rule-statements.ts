import type { Condition } from '../engine/grammar/condition.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { DEFAULT_PRIORITY } from '../engine/grammar/default-priority.ts'
import type { Case, Missing, Rule, TermFactor } from '../engine/grammar/rule.ts'
import { parametersIn, type Resolver } from './amounts.ts'
import { usualTerm } from './as-charged.ts'
import { chargeStatements, type ChargeAround } from './charge-statements.ts'
import { gradeWords, roundWords } from './rate-words.ts'
import {
  allSaid,
  inPlace,
  orderStatement,
  placesOf,
  titled,
  type Place,
  type WordedStatement,
  type Title,
} from './said.ts'
import { sourcesOf } from './source-words.ts'
import { thresholdOf } from './thresholds.ts'
import type { WrittenOutcome, Unsaid } from './vocabulary.ts'
import {
  conditionParts,
  conditionShape,
  conditionWords,
  partsWords,
  thatCount,
  titleOf,
  type ConditionParts,
} from './condition-words.ts'

/**
 * The statements of a rule on a day, one for each figure, including the term factors that it shares with other rules.
 */
export function ruleStatements(rule: Rule, spec: RateSetSpec, resolver: Resolver): WordedStatement[] {
  const { when, cases, basis, gst, category, missing, verification, priority = DEFAULT_PRIORITY, ...others } = rule
  const { terms: own, termScale, ...rest } = others
  const factors = termsOf(own, termScale, spec)
  const { sources } = sourcesOf(verification.sources, spec)
  allSaid(rest, { component: 'subject', name: 'words', description: 'words', startDate: 'days', endDate: 'days' })
  return [
    attribute('category', 'category', resolver.words.name(category)),
    attribute('priority', resolver.words.labels.priority, String(priority)),
    attribute('basis', 'computed on', basis === undefined ? 'no basis' : resolver.words.name(basis)),
    attribute('gst', resolver.words.labels.gst, gst),
    // A rule that loses its condition applies to more than before; a rule that ends applies to nothing.
    when ? appliesTo(when, resolver) : attribute('when', 'applies to', 'everything'),
    ...casesStatements(cases, { factors, basis, resolver }),
    ...factors.flatMap((term) => termStatements(term, resolver)),
    ...missingStatements(missing ?? [], resolver),
    evidenceOf(verification.evidence, verification.upperBound),
    { ...evidenceOf(sources.join('; ')), parts: sources, key: 'sources', label: 'sources' },
  ]
}

/** What the cases of a rule depend on besides them. */
interface OfCases {
  factors: readonly TermFactor[]
  basis: string | undefined
  resolver: Resolver
}

function casesStatements(all: readonly Case[], { factors, basis, resolver }: OfCases): WordedStatement[] {
  const term = usualTerm(factors)
  const others = term ? factors.filter((one) => one !== term) : []
  const cases = thatCount(all)
  const conditions = cases.map(({ when }) => when)
  const places = placesOf(cases, (one) => conditionPlace('cases', one.when))
  const said = cases.flatMap((one, at) => {
    const title = cases.length > 1 ? titleOf(one.when, resolver, conditions) : undefined
    const threshold = basis === undefined ? {} : thresholdOf({ cases, at, basis, resolver })
    const own = caseStatements(one, title, { resolver, term, others, above: aboveOf(cases, at) }).map((each) => ({
      ...each,
      ...(each.role === 'condition' && threshold),
      path: [`cases[${all.indexOf(one)}]`, each.path && `charge.${each.path}`].filter(Boolean).join('.'),
    }))
    return inPlace(places[at]!, own)
  })
  const order = cases.map((one) => conditionWords(one.when, resolver))
  return [...said, orderStatement(resolver.words.labels.cases, order, places, resolver.words)]
}

/** The amount above which a case applies: its own bound, or the upper end of an earlier case for the same vehicles. */
function aboveOf(cases: readonly Case[], at: number): string | undefined {
  const { basis, ...vehicles } = cases[at]!.when ?? {}
  if (basis?.above !== undefined) return basis.above
  const shape = JSON.stringify(vehicles)
  const earlier = cases.slice(0, at).filter(({ when }) => {
    const { basis: bound, ...others } = when ?? {}
    return bound?.upTo !== undefined && bound.above === undefined && JSON.stringify(others) === shape
  })
  return earlier.at(-1)?.when?.basis?.upTo
}

/** What happens without a fact, class or zone: for each of them, the first entry that holds applies. */
export function missingStatements(written: readonly Missing[], resolver: Resolver): WordedStatement[] {
  const bySubject = Map.groupBy(written, (one) => JSON.stringify([one.fact, one.class, one.zone]))
  const counting = new Set([...bySubject.values()].flatMap(thatCount))
  const entries = written.filter((one) => counting.has(one))
  const places = placesOf(entries, ({ when, ...entry }) => {
    const what = subjectOf(entry)
    const name = `${what} ${JSON.stringify(when ?? null)}`
    return { list: 'missing', name, shape: `${what} ${conditionShape(when)}` }
  })
  const all = entries.flatMap((entry, at) => inPlace(places[at]!, [missingStatement(entry, resolver)]))
  const words = entries.map(
    ({ when, ...entry }) => `${resolver.words.name(subjectOf(entry))} ${conditionWords(when, resolver)}`,
  )
  return entries.length < 2
    ? all
    : [...all, orderStatement(resolver.words.labels.missing, words, places, resolver.words)]
}

const kindOf = ({ fact, class: ofClass }: Missing): Unsaid =>
  fact === undefined ? (ofClass === undefined ? 'zone' : 'class') : 'fact'

const subjectOf = ({ fact, class: ofClass, zone }: Missing): string => fact ?? ofClass ?? zone ?? ''

function missingStatement(entry: Missing, resolver: Resolver): WordedStatement {
  const { when, assume, unpriced, reject, ...rest } = entry
  allSaid(rest, { warning: 'words', fact: 'subject', class: 'subject', zone: 'subject' })
  const where = when ? `, where ${conditionWords(when, resolver)}` : ''
  const { words } = resolver
  const [subject, kind] = [subjectOf(entry), kindOf(entry)]
  const closed = reject ? words.refused : words.assumed(String(assume), subject, kind)
  const value = unpriced === undefined ? closed : words.open(unpriced)
  return terms('missing', words.without(subject, kind), `${value}${where}`)
}

/** The place of a part that is identified by its condition. */
export const conditionPlace = (list: string, when: Condition | undefined): Place => ({
  list,
  name: when === undefined ? 'otherwise' : JSON.stringify(when),
  shape: conditionShape(when),
  ...(when && { when }),
})

const terms = (key: string, label: string, value: string): WordedStatement => ({ key, label, value, about: 'terms' })

const appliesTo = (when: Condition, resolver: Resolver): WordedStatement => ({
  ...terms('when', 'applies to', conditionWords(when, resolver)),
  ...partsOf(conditionParts(when, resolver), resolver),
  ...parametersIn([when.basis?.above, when.basis?.upTo], resolver),
})

const partsOf = (condition: ConditionParts, { words }: Resolver) => ({
  condition,
  parts: partsWords(condition, words),
})

const attribute = (key: string, label: string, value: string): WordedStatement => ({
  ...terms(key, label, value),
  role: 'attribute',
})

/** The grade of a figure as a statement. */
export const evidenceOf = (grade: string, upperBound?: boolean): WordedStatement => ({
  key: 'evidence',
  label: 'evidence',
  value: gradeWords(grade, upperBound),
  about: 'evidence',
})

const termsOf = (own: Rule['terms'], termScale: string | undefined, spec: RateSetSpec): readonly TermFactor[] =>
  own ?? spec.termScales?.find(({ name }) => name === termScale)?.terms ?? []

function termStatements(term: TermFactor, resolver: Resolver): WordedStatement[] {
  const { months, factor, plus, round, evidence, upperBound, ...rest } = term
  allSaid(rest, { warning: 'words' })
  const words = [
    resolver.words.factor(factor),
    plus && `plus ${resolver.amount(plus)}`,
    round && `rounded ${roundWords(round, resolver)}`,
  ]
  const parts = words.filter((part) => typeof part === 'string')
  const [key, label] = [`terms[${months}]`, `for ${months} months`]
  return [
    { key, label, value: parts.join(', '), parts, about: 'figure' },
    ...(evidence ? [{ ...evidenceOf(evidence, upperBound), key: `${key}.evidence`, label: `${label}: evidence` }] : []),
  ]
}

/** Why a case charges nothing, and the short form of that reason in place of an amount. */
function outcomeOf(outcome: WrittenOutcome, { words }: Resolver): WordedStatement[] {
  const said = words.outcome(outcome)
  return said
    ? [{ ...terms('outcome', words.labels.outcome, said.value), brief: said.brief, outcome: kindOfOutcome(outcome) }]
    : []
}

const kindOfOutcome = ({ exempt, unpriced }: WrittenOutcome): string => {
  if (exempt) return `exempt, ${exempt.line ?? 'omit'}`
  return unpriced === undefined ? 'refused' : 'unpriced'
}

/** What the wording of a charge depends on. */
interface Around extends ChargeAround {
  resolver: Resolver
}

function caseStatements(one: Case, title: Title | undefined, { resolver, ...around }: Around): WordedStatement[] {
  const { charge, exempt, unpriced, reject, evidence, upperBound, when, ...rest } = one
  allSaid(rest, { warning: 'words' })
  const said: WordedStatement[] = [
    ...(charge ? chargeStatements(charge, resolver, around) : []),
    ...outcomeOf({ exempt, unpriced, reject }, resolver),
    ...(when ? [{ ...appliesTo(when, resolver), role: 'condition' as const }] : []),
    ...(evidence ? [evidenceOf(evidence, upperBound)] : []),
  ]
  return titled(title, said)
}
