import type { Condition } from '../engine/grammar/condition.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Resolver } from './amounts.ts'
import { bodiesLeft } from './bodies-left.ts'
import { isSameData } from './same-data.ts'
import type { AmountBound, Vocabulary } from './vocabulary.ts'

/** A condition in words: `passenger, green; basis up to $80,809`. */
export const conditionWords = (condition: Condition | undefined, resolver: Resolver): string =>
  wordsOf(condition, resolver, resolver.words.name)

/** A condition in words; `named` gives the words for a class. */
function wordsOf(condition: Condition | undefined, resolver: Resolver, named: (name: string) => string): string {
  const { words } = resolver
  if (condition === undefined) return words.otherwise([]).words
  return words.together(partsWords(conditionParts(condition, resolver, named), words))
}

/** The tests of a condition in words, and its bounds on the basis. */
export interface ConditionParts {
  tests: readonly string[]
  bounds: readonly AmountBound[]
}

/** The parts of a condition as one list. */
export const partsWords = ({ tests, bounds }: ConditionParts, { bound }: Vocabulary): string[] => [
  ...tests,
  ...bounds.map(bound),
]

/** The title of a rule or a case, among several with these conditions. */
export function titleOf(
  condition: Condition | undefined,
  resolver: Resolver,
  all: readonly (Condition | undefined)[] = [],
): { words: string; condition?: ConditionParts; isBehind?: true } {
  const others = all.flatMap((one) =>
    one === undefined ? [] : [partsWords(conditionParts(one, resolver), resolver.words)],
  )
  if (condition === undefined) {
    const left = bodiesLeft(
      all.filter((one) => one !== undefined),
      resolver.classes,
    )
    return resolver.words.otherwise(others, left)
  }
  return { words: conditionWords(condition, resolver), condition: conditionParts(condition, resolver) }
}

/** A condition in parts; `named` gives the words for a class. */
export function conditionParts(
  condition: Condition,
  resolver: Resolver,
  named: (name: string) => string = resolver.words.name,
): ConditionParts {
  const { words } = resolver
  const { class: classes, not, zone, basis, age, derived, present, ...facts } = condition
  const around = (fact: string) => ({
    isSent: present?.some((one) => one === fact) ?? false,
    isAlone: Object.keys(condition).length === 1,
  })
  const tests = [
    ...(classes ? [classes.map(named).join(' and ')] : []),
    ...(not ? [words.none(not.map(named))] : []),
    ...Object.entries(facts).map(([fact, test]) => words.test(fact, test, around(fact))),
    ...(zone ? [words.inZones(zone.in, zone.name)] : []),
    ...(derived ?? []).map(({ name, ...test }) => words.test(name, test, around(name))),
    ...(age ? [words.age(age.from, agoWords(age))] : []),
    ...(present ? words.sent(present, Object.keys(facts)) : []),
  ]
  return {
    tests,
    bounds: [
      ...(basis?.above === undefined ? [] : [{ side: 'above' as const, amount: resolver.amount(basis.above) }]),
      ...(basis?.upTo === undefined ? [] : [{ side: 'up to' as const, amount: resolver.amount(basis.upTo) }]),
    ],
  }
}

const agoWords = ({ moreThanYears, atMostYears }: NonNullable<Condition['age']>): string[] => [
  ...(moreThanYears === undefined ? [] : [`more than ${years(moreThanYears)} ago`]),
  ...(atMostYears === undefined ? [] : [`at most ${years(atMostYears)} ago`]),
]

const years = (count: number): string => `${count} ${count === 1 ? 'year' : 'years'}`

/** A condition in words that explain each class: `businessUse (usageType business or taxi); tareKg at least 3565`. */
export function plainCondition(condition: Condition, { classes = [] }: RateSetSpec, resolver: Resolver): string {
  const named = (name: string): string => {
    const tests = classes.find((one) => one.name === name)?.anyOf ?? []
    return `${name} (${tests.map((test) => wordsOf(test, resolver, named)).join(', or ')})`
  }
  return wordsOf(condition, resolver, named)
}

/** The part of a condition that stays the same when its figures or its list of zones change; it identifies a case. */
export function conditionShape(condition: Condition | undefined): string {
  if (condition === undefined) return 'otherwise'
  const { zone, ...others } = condition
  return JSON.stringify({ ...others, ...(zone && { zone: zone.in }) }).replace(/"-?\d[^"]*"|\b\d+\b/g, '#')
}

/**
 * The parts of a list that can apply, when the first whose condition holds applies: all except those after a part with
 * the same condition or with none.
 */
export const thatCount = <T extends { when?: Condition }>(parts: readonly T[]): T[] =>
  parts.filter((part, at) => !parts.slice(0, at).some((above) => hides(above, part)))

const hides = (above: { when?: Condition }, below: { when?: Condition }): boolean =>
  above.when === undefined || isSameData(above.when, below.when)
