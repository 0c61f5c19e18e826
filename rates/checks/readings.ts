import type { Charge } from '../engine/grammar/charge.ts'
import type { Condition } from '../engine/grammar/condition.ts'
import { FACTS, MONEY_FACTS } from '../engine/grammar/facts.ts'
import type { BasisCase, RateSetSpec } from '../engine/grammar/rate-set.ts'
import { entries, optional, type At } from './subject.ts'

/** One place where a set reads a fact or a zone list of the request. */
export interface FactReading {
  kind: 'fact' | 'zone'
  name: string
  path: string
  /** The classes through which the fact is read, outermost first. */
  classes: string[]
}

/** The facts known to be present at a reading, and the classes through which the reading goes. */
interface Scope {
  spec: RateSetSpec
  present: ReadonlySet<string>
  classes: string[]
}

export const openScope = (spec: RateSetSpec): Scope => ({ spec, present: new Set(), classes: [] })

const testable = new Set<string>(FACTS.filter((fact) => !(MONEY_FACTS as readonly string[]).includes(fact)))

/** The facts and zones that a condition reads, except facts that it only tests for presence. */
export function readingsOfCondition({ path, value }: At<Condition>, outer: Scope): FactReading[] {
  const scope = guardedBy(value, outer)
  const read = (kind: FactReading['kind'], name: string, at: string): FactReading[] =>
    kind === 'fact' && scope.present.has(name) ? [] : [{ kind, name, path: at, classes: scope.classes }]
  const derived = entries(`${path}.derived`, value.derived).flatMap((one) =>
    (scope.spec.derivedFacts?.find(({ name }) => name === one.value.name)?.sum ?? []).flatMap(({ fact }) =>
      read('fact', fact, one.path),
    ),
  )
  return [
    ...Object.keys(value)
      .filter((key) => testable.has(key))
      .flatMap((fact) => read('fact', fact, `${path}.${fact}`)),
    ...optional(`${path}.age`, value.age).flatMap((age) => read('fact', age.value.from, age.path)),
    ...optional(`${path}.zone`, value.zone).flatMap((zone) => read('zone', zone.value.name, zone.path)),
    ...derived,
    ...[...(value.class ?? []), ...(value.not ?? [])].flatMap((name) => readingsOfClass(name, scope)),
  ]
}

/** Everything that a class reads in any of its alternatives. */
export function readingsOfClass(name: string, scope: Scope): FactReading[] {
  const position = scope.spec.classes?.findIndex((one) => one.name === name) ?? -1
  if (position < 0) return []
  const alternatives = entries(`classes[${position}].anyOf`, scope.spec.classes![position]!.anyOf)
  return alternatives.flatMap((test) => readingsOfCondition(test, { ...scope, classes: [...scope.classes, name] }))
}

/**
 * The scope of what follows a condition that holds: the facts whose presence the condition tests, directly or through a
 * class, are present.
 */
export function guardedBy(condition: Condition | undefined, scope: Scope): Scope {
  if (!condition) return scope
  return { ...scope, present: new Set([...scope.present, ...guaranteed(condition, scope.spec)]) }
}

function guaranteed(condition: Condition, spec: RateSetSpec): string[] {
  const byClass = (condition.class ?? []).flatMap((name) => {
    const [first = [], ...others] = (spec.classes?.find((one) => one.name === name)?.anyOf ?? []).map((test) =>
      guaranteed(test, spec),
    )
    return first.filter((fact) => others.every((facts) => facts.includes(fact)))
  })
  return [...(condition.present ?? []), ...byClass]
}

/** Everything that a charge reads: physical facts, rows and columns of tables, and the money of its `less`. */
export function readingsOfCharge({ path, value }: At<Charge>, scope: Scope): FactReading[] {
  const { table, units, less } = value
  const fact = (name: string, at: string): FactReading[] =>
    scope.present.has(name) ? [] : [{ kind: 'fact', name, path: at, classes: [] }]
  return [
    ...optional(`${path}.units.of`, units?.of).flatMap((of) => fact(of.value, of.path)),
    ...optional(`${path}.table.fact`, table?.fact).flatMap((of) => fact(of.value, of.path)),
    ...optional(`${path}.table.zone`, table?.zone).map((of): FactReading => ({
      kind: 'zone',
      name: of.value,
      path: of.path,
      classes: [],
    })),
    ...[...(table?.columns ?? []), ...(table?.rows ?? []).map((row) => row.class)].flatMap((name) =>
      name === undefined ? [] : readingsOfClass(name, scope),
    ),
    ...entries(`${path}.less`, less).flatMap((term) => readingsOfTerm(term, scope)),
  ]
}

/** Everything that a basis reads in any case, except terms that `greatest` and `firstPresent` may skip. */
export function readingsOfBasis(name: string, scope: Scope): FactReading[] {
  const position = scope.spec.bases?.findIndex((one) => one.name === name) ?? -1
  if (position < 0) return []
  const cases = entries(`bases[${position}].cases`, scope.spec.bases![position]!.cases)
  return cases.flatMap((one) => [
    ...optional(`${one.path}.when`, one.value.when).flatMap((when) => readingsOfCondition(when, scope)),
    ...termsNeeded(one).flatMap((term) => readingsOfTerm(term, guardedBy(one.value.when, scope))),
  ])
}

function termsNeeded({ path, value }: At<BasisCase>): At<string>[] {
  const choices = [
    ...entries(`${path}.greatest`, value.greatest),
    ...entries(`${path}.firstPresent`, value.firstPresent),
  ]
  const certain = choices.some((term) => !optionalMoney(term.value))
  return [
    ...entries(`${path}.sum`, value.sum),
    ...entries(`${path}.minus`, value.minus),
    ...(certain ? choices.filter((term) => !optionalMoney(term.value)) : choices),
  ]
}

const optionalMoney = (term: string) => (MONEY_FACTS as readonly string[]).includes(term) && term !== 'dutiable'

function readingsOfTerm({ path, value }: At<string>, scope: Scope): FactReading[] {
  if (value.startsWith('basis:')) return readingsOfBasis(value.slice('basis:'.length), scope)
  if (!optionalMoney(value) || scope.present.has(value)) return []
  return [{ kind: 'fact', name: value, path, classes: [] }]
}
