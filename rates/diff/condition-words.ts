import type { Condition } from '../engine/grammar/condition.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Resolver } from './amounts.ts'
import { isSameData } from './same-data.ts'
import type { AmountBound, Vocabulary } from './vocabulary.ts'

/** What a condition says, in words: `passenger, green; basis up to $80,809`. */
export const conditionWords = (condition: Condition | undefined, resolver: Resolver): string =>
  wordsOf(condition, resolver, resolver.words.name)

/** The same; `named` gives the words of a class. */
function wordsOf(condition: Condition | undefined, resolver: Resolver, named: (name: string) => string): string {
  const { words } = resolver
  if (condition === undefined) return words.otherwise([]).words
  return words.together(partsWords(conditionParts(condition, resolver, named), words))
}

/** What a condition asks, test by test, and between which amounts of the basis. */
export interface ConditionParts {
  tests: readonly string[]
  bounds: readonly AmountBound[]
}

/** The parts of a condition in one list. */
export const partsWords = ({ tests, bounds }: ConditionParts, { bound }: Vocabulary): string[] => [
  ...tests,
  ...bounds.map(bound),
]

/** What a rule or a case is called, of several with these conditions. */
export function titleOf(
  condition: Condition | undefined,
  resolver: Resolver,
  all: readonly (Condition | undefined)[] = [],
): { words: string; condition?: ConditionParts; isBehind?: true } {
  const others = all.flatMap((one) => (one === undefined ? [] : conditionWords(one, resolver)))
  if (condition === undefined) return resolver.words.otherwise(others)
  return { words: conditionWords(condition, resolver), condition: conditionParts(condition, resolver) }
}

/** A condition in parts; `named` gives the words of a class. */
export function conditionParts(
  condition: Condition,
  resolver: Resolver,
  named: (name: string) => string = resolver.words.name,
): ConditionParts {
  const { words } = resolver
  const { class: classes, not, zone, basis, age, derived, present, ...facts } = condition
  const tests = [
    ...(classes ? [classes.map(named).join(' and ')] : []),
    ...(not ? [`not ${not.map(named).join(', ')}`] : []),
    ...Object.entries(facts).map(([fact, test]) => words.test(fact, test)),
    ...(zone ? [`zone ${zone.in.join(' or ')}`] : []),
    ...(derived ?? []).map(({ name, ...test }) => words.test(name, test)),
    ...(age ? [`${words.name(age.from)} ${ageWords(age)}`] : []),
    ...(present ? [words.sent(present)] : []),
  ]
  return {
    tests,
    bounds: [
      ...(basis?.above === undefined ? [] : [{ side: 'above' as const, amount: resolver.amount(basis.above) }]),
      ...(basis?.upTo === undefined ? [] : [{ side: 'up to' as const, amount: resolver.amount(basis.upTo) }]),
    ],
  }
}

function ageWords({ moreThanYears, atMostYears }: NonNullable<Condition['age']>): string {
  const words = [
    ...(moreThanYears === undefined ? [] : [`more than ${years(moreThanYears)} ago`]),
    ...(atMostYears === undefined ? [] : [`at most ${years(atMostYears)} ago`]),
  ]
  return words.join(', ')
}

const years = (count: number): string => `${count} ${count === 1 ? 'year' : 'years'}`

/** The same with what each class means: `businessUse (usageType business or taxi); tareKg at least 3565`. */
export function plainCondition(condition: Condition, { classes = [] }: RateSetSpec, resolver: Resolver): string {
  const named = (name: string): string => {
    const tests = classes.find((one) => one.name === name)?.anyOf ?? []
    return `${name} (${tests.map((test) => wordsOf(test, resolver, named)).join(', or ')})`
  }
  return wordsOf(condition, resolver, named)
}

/** What stays the same of a condition when its figures change: what a case is recognised by. */
export function conditionShape(condition: Condition | undefined): string {
  return condition === undefined ? 'otherwise' : JSON.stringify(condition).replace(/"-?\d[^"]*"|\b\d+\b/g, '#')
}

/** The parts of a list that count, where the first whose condition holds does: none below one of the same condition, or of none. */
export const thatCount = <T extends { when?: Condition }>(parts: readonly T[]): T[] =>
  parts.filter((part, at) => !parts.slice(0, at).some((above) => hides(above, part)))

const hides = (above: { when?: Condition }, below: { when?: Condition }): boolean =>
  above.when === undefined || isSameData(above.when, below.when)
