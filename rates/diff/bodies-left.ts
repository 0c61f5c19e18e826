import type { Condition } from '../engine/grammar/condition.ts'
import { BODY_TYPES } from '../engine/grammar/facts.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'

type Body = (typeof BODY_TYPES)[number]
type Classes = NonNullable<RateSetSpec['classes']>

/** The bodies that the remaining case of a list can apply to, and which other cases take some of them away. */
export interface BodiesLeft {
  bodies: readonly Body[]
  /** Positions of these cases. */
  unless: readonly number[]
}

/** The bodies that some conditions leave; undefined when they leave all or none, or when that is not known. */
export function bodiesLeft(others: readonly Condition[], classes: Classes): BodiesLeft | undefined {
  const expanded = others.map((one) => alternatives(one, classes))
  const all = expanded.flat()
  const gone = new Set(BODY_TYPES.filter((body) => isWhole(body, all)))
  const bodies = BODY_TYPES.filter((body) => !gone.has(body))
  if (gone.size === 0 || bodies.length === 0) return undefined
  const isOfOthers = (one: Condition) => one.bodyType?.every((body) => gone.has(body)) ?? false
  const unless = expanded.flatMap((any, at) => (any.every(isOfOthers) ? [] : [at]))
  return { bodies, unless }
}

/** A condition as the conditions of its class, when it is nothing but one class. */
function alternatives(condition: Condition, classes: Classes): Condition[] {
  const [name, ...more] = condition.class ?? []
  const found = classes.find((one) => one.name === name)
  const isOnly = more.length === 0 && Object.keys(condition).length === 1
  return found && isOnly ? found.anyOf : [condition]
}

/** Whether some of these conditions hold for every vehicle of a body. */
function isWhole(body: Body, conditions: readonly Condition[]): boolean {
  const own = conditions.filter(({ bodyType }) => bodyType?.includes(body))
  const rest = own.map(({ bodyType: _, ...tests }) => Object.entries(tests))
  if (rest.some((tests) => tests.length === 0)) return true
  const seats = rest.flatMap((tests) => (tests.length === 1 && tests[0]![0] === 'seats' ? [tests[0]![1] as Seats] : []))
  return seats.some(({ max, min }) => max !== undefined && min === undefined && seats.some((one) => one.above === max))
}

/** A test of the number of seats. */
type Seats = { max?: string; min?: string; above?: string }
