import type { Condition } from '../engine/grammar/condition.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Resolver } from './amounts.ts'
import { isSameData } from './same-data.ts'

/** What a condition says, in words: `passenger, green; basis up to $80,809`. */
export const conditionWords = (condition: Condition | undefined, resolver: Resolver): string =>
  wordsOf(condition, resolver, (name) => name)

/** The same; `named` gives the words of a class. */
function wordsOf(condition: Condition | undefined, resolver: Resolver, named: (name: string) => string): string {
  if (condition === undefined) return 'otherwise'
  const { tests, bounds } = conditionParts(condition, resolver, named)
  return [...tests, ...bounds.map(boundWords)].join('; ')
}

/** What a condition asks, test by test, and between which amounts of the basis. */
export interface ConditionParts {
  tests: readonly string[]
  bounds: readonly { side: 'above' | 'up to'; amount: string }[]
}

/** What a rule or a case of several is called. */
export const titleOf = (condition: Condition | undefined, resolver: Resolver) => ({
  words: conditionWords(condition, resolver),
  ...(condition && { condition: conditionParts(condition, resolver) }),
})

/** `basis up to $80,809`. */
export const boundWords = ({ side, amount }: ConditionParts['bounds'][number]): string => `basis ${side} ${amount}`

/** A condition in parts; `named` gives the words of a class. */
export function conditionParts(
  condition: Condition,
  resolver: Resolver,
  named: (name: string) => string = (name) => name,
): ConditionParts {
  const { class: classes, not, zone, basis, age, derived, present, ...facts } = condition
  const tests = [
    ...(classes ? [classes.map(named).join(' and ')] : []),
    ...(not ? [`not ${not.map(named).join(', ')}`] : []),
    ...Object.entries(facts).map(([fact, test]) => `${FIELDS[fact] ?? fact} ${testWords(test)}`),
    ...(zone ? [`zone ${zone.in.join(' or ')}`] : []),
    ...(derived ?? []).map(({ name, ...test }) => `${name} ${testWords(test)}`),
    ...(age ? [`${age.from} ${ageWords(age)}`] : []),
    ...(present ? [`${present.join(', ')} sent`] : []),
  ]
  return {
    tests,
    bounds: [
      ...(basis?.above === undefined ? [] : [{ side: 'above' as const, amount: resolver.amount(basis.above) }]),
      ...(basis?.upTo === undefined ? [] : [{ side: 'up to' as const, amount: resolver.amount(basis.upTo) }]),
    ],
  }
}

/** What a request calls a test that has another name in a rate set. */
const FIELDS: Record<string, string> = { requestedDate: 'registration.startDate' }

const BOUNDS: Record<string, string> = {
  above: 'above',
  min: 'at least',
  max: 'at most',
  below: 'below',
  from: 'from',
  to: 'to',
}

function ageWords({ moreThanYears, atMostYears }: NonNullable<Condition['age']>): string {
  const words = [
    ...(moreThanYears === undefined ? [] : [`more than ${years(moreThanYears)} ago`]),
    ...(atMostYears === undefined ? [] : [`at most ${years(atMostYears)} ago`]),
  ]
  return words.join(', ')
}

const years = (count: number): string => `${count} ${count === 1 ? 'year' : 'years'}`

function testWords(test: unknown): string {
  if (Array.isArray(test)) return test.join(' or ')
  if (typeof test !== 'object' || test === null) return String(test)
  const bounds = Object.entries(test).filter(([, value]) => value !== undefined)
  return bounds.map(([bound, value]) => `${BOUNDS[bound] ?? bound} ${String(value)}`).join(', ')
}

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
