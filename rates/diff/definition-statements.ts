import type { BasisCase, RateSetSpec } from '../engine/grammar/rate-set.ts'
import { parametersIn, type Resolver } from './amounts.ts'
import { conditionWords, thatCount, titleOf } from './condition-words.ts'
import { conditionPlace } from './rule-statements.ts'
import { allSaid, inPlace, orderStatement, placesOf, titled } from './said.ts'
import type { Statement } from './statement.ts'
import type { BasisPart } from './vocabulary.ts'

/** Prefix of the component in the statements of a class. */
export const CLASS = 'class '

/** The component of what is done without facts, classes or zones in all rules of a set. */
export const MISSING = 'missing facts'

/** One statement of a set apart from its rules, parameters and concessions. */
export const terms = (component: string, key: string, label: string, value: string): Statement => {
  return { component, kind: 'other', key, label, value, about: 'terms', sources: [] }
}

/** The same for a list; `by` separates its parts, or joins them to a text. */
export const listed = (
  of: string,
  [key, label]: [string, string],
  parts: readonly string[],
  by: string | ((parts: readonly string[]) => string),
): Statement => ({
  ...terms(of, key, label, typeof by === 'string' ? parts.join(by) : by(parts)),
  parts,
})

/** The definitions that a set's rules use: classes, sums of facts, and bases. */
export function definitionsOf(
  { classes, derivedFacts, bases }: Pick<RateSetSpec, 'classes' | 'derivedFacts' | 'bases'>,
  resolver: Resolver,
): Statement[] {
  return [
    ...(classes ?? []).map(({ name, anyOf }) => ({
      ...listed(
        `${CLASS}${name}`,
        ['anyOf', 'holds for'],
        anyOf.map((one) => conditionWords(one, resolver)),
        resolver.words.either,
      ),
      heading: resolver.words.name(name),
    })),
    ...(derivedFacts ?? []).map(({ name, sum }) =>
      listed(
        name,
        ['sum', 'sum of'],
        sum.map(({ fact, times = '1' }) => `${times} × ${resolver.words.name(fact)}`),
        ' + ',
      ),
    ),
    ...(bases ?? []).flatMap(({ name, cases }) => basisStatements(name, cases, resolver)),
  ]
}

/**
 * How a basis is computed, case by case. An exchange of two cases keeps the words, so their order is a statement too.
 */
function basisStatements(component: string, all: readonly BasisCase[], resolver: Resolver): Statement[] {
  const cases = thatCount(all)
  const conditions = cases.map(({ when }) => when)
  const places = placesOf(cases, ({ when }) => conditionPlace('cases', when))
  const part = { component, kind: 'other' as const, sources: [] }
  const statements = cases.flatMap((one, at) => {
    const title = cases.length > 1 ? titleOf(one.when, resolver, conditions) : undefined
    const said = listed(component, ['computed', resolver.words.labels.computed], basisWords(one, resolver), ' ')
    const addends = [one.sum, one.greatest, one.firstPresent, one.minus].flatMap((list = []) => list)
    return inPlace(places[at]!, titled(title, [{ ...said, ...parametersIn(addends, resolver) }]))
  })
  const order = cases.map(({ when }) => conditionWords(when, resolver))
  return [...statements, orderStatement(resolver.words.labels.cases, order, places, resolver.words)].map((said) => ({
    ...said,
    ...part,
  }))
}

function basisWords({ when: _, sum, greatest, firstPresent, minus, ...rest }: BasisCase, resolver: Resolver): string[] {
  allSaid(rest, { warning: 'words', ofLines: 'words' })
  const list = (part: BasisPart, of: readonly string[] | undefined) =>
    of
      ? [
          resolver.words.computed(
            part,
            of.map((term) => resolver.amount(term)),
          ),
        ]
      : []
  return [
    ...list('sum', sum),
    ...list('greatest', greatest),
    ...list('firstPresent', firstPresent),
    ...list('minus', minus),
  ]
}
