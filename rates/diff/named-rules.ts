import { covers, datesInForce, type Dated } from '../engine/dates.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { DEFAULT_PRIORITY, type Rule } from '../engine/grammar/rule.ts'
import { thatCount } from './condition-words.ts'

/** Whether a dated part of a set is in force on a day, ISO. */
export const isInForce = (part: Dated, { financialYear }: RateSetSpec, day: string): boolean =>
  covers(datesInForce(part, financialYear), day)

/** The rules that count on a day, ISO. */
export function rulesOn(spec: RateSetSpec, day: string): Rule[] {
  const inForce = spec.rules.filter((rule) => isInForce(rule, spec, day))
  const sorted = inForce.toSorted((a, b) => (b.priority ?? DEFAULT_PRIORITY) - (a.priority ?? DEFAULT_PRIORITY))
  const byComponent = Map.groupBy(sorted, ({ component }) => component)
  const counting = new Set([...byComponent.values()].flatMap(thatCount))
  return sorted.filter((rule) => counting.has(rule))
}

/** The components of which a rule is called by its condition: each special rule, or the general one too. */
export interface NamedRules {
  readonly special: ReadonlySet<string>
  readonly general: ReadonlySet<string>
}

/**
 * Which rules are called by their condition, where these versions are compared. A special rule is, where its component has
 * several rules in some version: it keeps its name in the others. The general rule is, where a version has the special one alone:
 * what ends or begins there is not the whole of the charge.
 */
export function namedRules(versions: readonly (readonly Rule[])[]): NamedRules {
  const components = versions.flatMap((rules) => [...Map.groupBy(rules, ({ component }) => component)])
  const special = new Set(components.flatMap(([name, { length }]) => (length > 1 ? [name] : [])))
  const alone = components.filter(([name, rules]) => special.has(name) && rules.every(({ when }) => when))
  return { special, general: new Set(alone.map(([name]) => name)) }
}
