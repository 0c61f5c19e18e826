import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Case, Missing, Rule, TermFactor } from '../engine/grammar/rule.ts'
import type { Resolver } from './amounts.ts'
import { usualTerm } from './as-charged.ts'
import { chargeStatements, type ChargeAround } from './charge-statements.ts'
import { roundWords } from './rate-words.ts'
import { allSaid, titled, type Said } from './said.ts'
import { sourcesOf } from './source-words.ts'
import { conditionShape, conditionWords } from './condition-words.ts'

/** What a rule says on a day, figure by figure, the terms that it shares with others among it. */
export function ruleStatements(rule: Rule, spec: RateSetSpec, resolver: Resolver): Said[] {
  const { when, cases, basis, gst, category, missing, verification, priority = 100, ...others } = rule
  const { terms: own, termScale, ...rest } = others
  const factors = termsOf(own, termScale, spec)
  allSaid(rest, { component: 'subject', name: 'words', description: 'words', startDate: 'days', endDate: 'days' })
  return [
    terms('category', 'category', category),
    terms('priority', 'priority among the rules of its component', String(priority)),
    terms('basis', 'computed on', basis ?? 'no basis'),
    terms('gst', 'GST in the line', gst),
    ...(when ? [terms('when', 'applies to', conditionWords(when, resolver))] : []),
    ...casesStatements(cases, usualTerm(factors), resolver),
    ...factors.flatMap((term) => termStatements(term, resolver)),
    ...(missing ?? []).map((entry, at) => missingStatement(entry, at, resolver)),
    evidenceOf(verification.evidence),
    { ...evidenceOf(sourcesOf(verification.sources, spec).sources.join('; ')), key: 'sources', label: 'sources' },
  ]
}

function casesStatements(cases: readonly Case[], term: TermFactor | undefined, resolver: Resolver): Said[] {
  const shapes = cases.map((one) => conditionShape(one.when))
  const said = cases.flatMap((one, at) => {
    // The first case of a shape is that of the other set; a second of it is the second.
    const nth = shapes.slice(0, at).filter((shape) => shape === shapes[at]).length
    const title = cases.length > 1 ? conditionWords(one.when, resolver) : ''
    return caseStatements(one, title, { resolver, term, above: aboveOf(cases, at) }).map((each) => ({
      ...each,
      key: `${shapes[at]}#${nth}.${each.key}`,
      path: each.path === undefined ? `cases[${at}]` : `cases[${at}].charge.${each.path}`,
    }))
  })
  const order = cases.map((one) => conditionWords(one.when, NO_AMOUNTS)).join(' | ')
  return [...said, { ...terms('order', 'cases', order), role: 'order' }]
}

/** The amount above which a case applies: its own, or up to which an earlier case of the same vehicles does. */
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

/** What is done without a fact, a class or a zone. */
export function missingStatement(entry: Missing, at: number, resolver: Resolver): Said {
  const { fact, class: ofClass, zone, when, assume, unpriced, reject, ...rest } = entry
  allSaid(rest, { warning: 'words' })
  const what = fact ?? ofClass ?? zone ?? ''
  const where = when ? `, where ${conditionWords(when, resolver)}` : ''
  const value = unpriced ?? (reject ? 'refused' : `${assume} is taken`)
  return terms(`missing[${what}#${at}]`, `without ${what}`, `${value}${where}`)
}

const NO_AMOUNTS: Resolver = { amount: () => '…', cents: () => undefined }

const terms = (key: string, label: string, value: string): Said => ({ key, label, value, about: 'terms' })

/** What a figure rests on. */
export const evidenceOf = (grade: string): Said => ({
  key: 'evidence',
  label: 'evidence',
  value: grade,
  about: 'evidence',
})

const termsOf = (own: Rule['terms'], termScale: string | undefined, spec: RateSetSpec): readonly TermFactor[] =>
  own ?? spec.termScales?.find(({ name }) => name === termScale)?.terms ?? []

function termStatements(term: TermFactor, { amount }: Resolver): Said[] {
  const { months, factor, plus, round, evidence, ...rest } = term
  allSaid(rest, { warning: 'words' })
  const value = [`× ${factor}`, plus && `plus ${amount(plus)}`, round && `rounded ${roundWords(round)}`]
  const [key, label] = [`terms[${months}]`, `for ${months} months`]
  return [
    { key, label, value: value.filter(Boolean).join(', '), about: 'figure' },
    ...(evidence ? [{ ...evidenceOf(evidence), key: `${key}.evidence`, label: `${label}: evidence` }] : []),
  ]
}

/** What the words of a charge depend on. */
interface Around extends ChargeAround {
  resolver: Resolver
}

function caseStatements(one: Case, title: string, { resolver, ...around }: Around): Said[] {
  const { charge, exempt, unpriced, reject, evidence, when, ...rest } = one
  allSaid(rest, { warning: 'words' })
  const line = exempt?.line === 'zero' ? 'a line of $0' : 'no line'
  const outcome = exempt ? `no charge, ${line}: ${exempt.reason}` : (unpriced ?? (reject ? 'refused' : undefined))
  const said: Said[] = [
    ...(charge ? chargeStatements(charge, resolver, around) : []),
    ...(outcome === undefined ? [] : [terms('outcome', 'outcome', outcome)]),
    ...(when ? [{ ...terms('when', 'applies to', conditionWords(when, resolver)), role: 'condition' as const }] : []),
    ...(evidence ? [evidenceOf(evidence)] : []),
  ]
  return titled(title, said)
}
