import { covers, datesInForce, type Dated } from '../engine/dates.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { DEFAULT_PRIORITY } from '../engine/grammar/default-priority.ts'
import type { Rule } from '../engine/grammar/rule.ts'
import { thatCount } from './condition-words.ts'

/** Whether a dated part of a set is in force on an ISO day. */
export const isInForce = (part: Dated, { financialYear }: RateSetSpec, day: string): boolean =>
  covers(datesInForce(part, financialYear), day)

/** The rules that can apply on an ISO day. */
export function rulesOn(spec: RateSetSpec, day: string): Rule[] {
  const inForce = spec.rules.filter((rule) => isInForce(rule, spec, day))
  const sorted = inForce.toSorted((a, b) => (b.priority ?? DEFAULT_PRIORITY) - (a.priority ?? DEFAULT_PRIORITY))
  const byComponent = Map.groupBy(sorted, ({ component }) => component)
  const counting = new Set([...byComponent.values()].flatMap(thatCount))
  return sorted.filter((rule) => counting.has(rule))
}

/** The components whose rules are named by their condition: the special rules only, or the general rule too. */
export interface NamedRules {
  readonly special: ReadonlySet<string>
  readonly general: ReadonlySet<string>
}

/**
 * Which rules are named by their condition when these versions are compared. A special rule is, when its component has
 * several rules in some version; it keeps its name in the other versions. The general rule is, when some version has
 * the special rule alone: otherwise a beginning or end of the general rule would read as one of the whole charge.
 */
export function namedRules(versions: readonly (readonly Rule[])[]): NamedRules {
  const components = versions.flatMap((rules) => [...Map.groupBy(rules, ({ component }) => component)])
  const special = new Set(components.flatMap(([name, { length }]) => (length > 1 ? [name] : [])))
  const alone = components.filter(([name, rules]) => special.has(name) && rules.every(({ when }) => when))
  return { special, general: new Set(alone.map(([name]) => name)) }
}
