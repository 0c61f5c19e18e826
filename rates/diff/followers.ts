import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Rule } from '../engine/grammar/rule.ts'
import { MISSING } from './definition-statements.ts'
import type { FigureChange, Follower } from './figure-change.ts'
import { rulesOn } from './named-rules.ts'
import { subjectOn } from './timeline.ts'
import { AS_WRITTEN, type Vocabulary } from './vocabulary.ts'

/** Names in each change the components of the same set whose amounts move with it, and have no statement of their own. */
export function withFollowers(
  changes: readonly FigureChange[],
  sets: readonly RateSetSpec[],
  wordsOf: (pricingCode: string) => Vocabulary = () => AS_WRITTEN,
): FigureChange[] {
  return changes.map((change) => {
    const spec = subjectOn(sets, change.pricingCode, change.from)?.spec
    const followers = spec ? followersIn(change, spec, wordsOf(change.pricingCode)) : []
    return followers.length === 0 ? change : { ...change, followers }
  })
}

function followersIn({ kind, component, about, label, from }: FigureChange, spec: RateSetSpec, words: Vocabulary) {
  const rules = rulesOn(spec, from)
  if (kind === 'rule' && about === 'figure') return followersOf(component, spec, rules)
  if (component !== MISSING) return []
  const lists = (spec.missing ?? []).flatMap(({ zone }) => zone ?? [])
  const list = lists.find((one) => words.without(one, 'zone') === label)
  const readers = rules.filter(({ cases }) => list !== undefined && readsZones(cases, list))
  return unique(
    readers.flatMap((rule) => [
      { component: rule.component },
      ...followersOf(rule.component, spec, rules).map((one) => ({ component: one.component })),
    ]),
  )
}

/** Components that are computed from the line of another one. */
function followersOf(component: string, { bases = [] }: RateSetSpec, rules: readonly Rule[]): Follower[] {
  const reads = (basis: string): boolean =>
    bases
      .filter(({ name }) => name === basis)
      .flatMap(({ cases }) => cases)
      .flatMap(({ sum = [], greatest = [], firstPresent = [], minus = [] }) => [
        ...sum,
        ...greatest,
        ...firstPresent,
        ...minus,
      ])
      .some((term) => term === `line:${component}` || (term.startsWith('basis:') && reads(term.slice('basis:'.length))))
  const own = rules.filter(({ basis, component: of }) => of !== component && basis !== undefined && reads(basis))
  return unique(own.map((rule) => ({ component: rule.component, ...shareOf(rule) })))
}

/** The percentage of every charge of a rule, if all have the same and nothing else. */
function shareOf({ cases }: Rule): { percent?: string } {
  const charges = cases.flatMap(({ charge }) => charge ?? [])
  const percent = charges[0]?.whole?.percent
  const isOnly = charges.every((charge) => charge.whole?.percent === percent)
  return percent !== undefined && isOnly ? { percent } : {}
}

/** Whether some part of a rule reads a list of zones: a table by its zones, or a condition. */
function readsZones(part: unknown, list: string): boolean {
  if (typeof part !== 'object' || part === null) return false
  const { zone } = part as { zone?: unknown }
  if (zone === list || (typeof zone === 'object' && (zone as { name?: string } | null)?.name === list)) return true
  return Object.values(part).some((inner) => readsZones(inner, list))
}

const unique = (all: readonly Follower[]): Follower[] => [...new Map(all.map((one) => [one.component, one])).values()]
