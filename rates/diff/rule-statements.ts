import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Case, Rule, TermFactor } from '../engine/grammar/rule.ts'
import type { Resolver } from './amounts.ts'
import { chargeStatements, roundWords, type Said } from './charge-statements.ts'
import { conditionShape, conditionWords } from './condition-words.ts'

/** What a rule says on a day, figure by figure, the terms that it shares with others among it. */
export function ruleStatements(rule: Rule, spec: RateSetSpec, resolver: Resolver): Said[] {
  const { when, cases, basis, gst, category, missing, verification } = rule
  const several = cases.length > 1
  const shapes = cases.map((one) => conditionShape(one.when))
  return [
    terms('category', 'category', category),
    terms('basis', 'computed on', basis ?? 'no basis'),
    terms('gst', 'GST in the line', gst),
    ...(when ? [terms('when', 'applies to', conditionWords(when, resolver))] : []),
    ...cases.flatMap((one, at) => {
      // The first case of a shape is that of the other set; a second of it is the second.
      const nth = shapes.slice(0, at).filter((shape) => shape === shapes[at]).length
      const title = several ? conditionWords(one.when, resolver) : ''
      return caseStatements(one, title, resolver).map((said) => ({
        ...said,
        key: `${shapes[at]}#${nth}.${said.key}`,
        path: said.path === '' ? `cases[${at}]` : `cases[${at}].${said.path}`,
      }))
    }),
    terms('order', 'cases', cases.map((one) => conditionWords(one.when, NO_AMOUNTS)).join(' | '), 'cases'),
    ...termsOf(rule, spec).map((term) => termStatement(term, resolver)),
    ...(missing ?? []).map((entry, at) => {
      const what = entry.fact ?? entry.class ?? entry.zone
      const value = entry.unpriced ?? (entry.reject ? 'refused' : `${entry.assume} is taken`)
      return terms(`missing[${what}#${at}]`, `without ${what}`, value, `missing[${at}]`)
    }),
    { ...evidenceOf(verification.evidence), path: 'verification.evidence' },
    {
      ...evidenceOf(sourceLabels(verification.sources, spec).join('; ')),
      key: 'sources',
      label: 'sources',
      path: 'verification.sources',
    },
  ]
}

const NO_AMOUNTS: Resolver = { amount: () => '…', cents: () => undefined }

const terms = (key: string, label: string, value: string, path = key): Said => ({
  key,
  label,
  value,
  about: 'terms',
  path,
})

/** What a figure rests on. */
export const evidenceOf = (grade: string): Said => ({
  key: 'evidence',
  label: 'evidence',
  value: grade,
  about: 'evidence',
  path: 'evidence',
})

const termsOf = ({ terms, termScale }: Rule, spec: RateSetSpec): readonly TermFactor[] =>
  terms ?? spec.termScales?.find(({ name }) => name === termScale)?.terms ?? []

function termStatement({ months, factor, plus, round }: TermFactor, { amount }: Resolver): Said {
  const value = [`× ${factor}`, plus && `plus ${amount(plus)}`, round && `rounded ${roundWords(round)}`]
  return {
    key: `terms[${months}]`,
    label: `for ${months} months`,
    value: value.filter(Boolean).join(', '),
    about: 'figure',
    path: 'terms',
  }
}

function caseStatements(one: Case, title: string, resolver: Resolver): Said[] {
  const { charge, exempt, unpriced, reject, evidence, when } = one
  const outcome = exempt ? `no charge: ${exempt.reason}` : (unpriced ?? (reject ? 'refused' : undefined))
  const said: Said[] = [
    ...(charge ? chargeStatements(charge, resolver).map((each) => ({ ...each, path: `charge.${each.path}` })) : []),
    ...(outcome === undefined ? [] : [terms('outcome', 'outcome', outcome, '')]),
    ...(when ? [terms('when', 'applies to', conditionWords(when, resolver))] : []),
    ...(evidence ? [evidenceOf(evidence)] : []),
  ]
  return title === '' ? said : said.map((each) => ({ ...each, label: `${title}: ${each.label}` }))
}

/** The titles of some sources of a set. */
export const sourceLabels = (names: readonly string[], spec: RateSetSpec): string[] =>
  names.map((name) => spec.sources.find((source) => source.name === name)?.label ?? name)
