import { formatExact, multiply, parseExact, roundTo, whole } from '../engine/exact.ts'
import type { BasisCase, RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Rule } from '../engine/grammar/rule.ts'
import { MISSING } from './definition-statements.ts'
import type { FigureChange, Follower, ZoneAmount } from './figure-change.ts'
import { dollars } from './money.ts'
import { rulesOn } from './named-rules.ts'
import { subjectOn } from './timeline.ts'
import { AS_WRITTEN, type Vocabulary } from './vocabulary.ts'
import { zoneAmounts } from './zone-amounts.ts'
import { isOfZones } from './zone-moves.ts'
import { ZONES } from './zone-statements.ts'

/**
 * Names in each change the components whose amounts move with it, and have no statement of their own: those of the same
 * set, and those of the sets that import it.
 */
export function withFollowers(
  changes: readonly FigureChange[],
  sets: readonly RateSetSpec[],
  wordsOf: (pricingCode: string) => Vocabulary = () => AS_WRITTEN,
): FigureChange[] {
  return changes.map((change) => {
    const subject = subjectOn(sets, change.pricingCode, change.from)
    const words = wordsOf(change.pricingCode)
    const followers = followersOfChange(change, sets, words)
    const inZones = subject ? zoneAmounts(change, subject, words).filter((one) => !isTold(one, change, changes)) : []
    const amounts = inZones.flatMap((one) => [one, ...sharesOf(one, subject!.spec, change.from)])
    return { ...change, ...(followers.length > 0 && { followers }), ...(amounts.length > 0 && { amounts }) }
  })
}

/** What is needed of a change to name what follows it. */
type Followed = Pick<
  FigureChange,
  'pricingCode' | 'component' | 'kind' | 'label' | 'about' | 'role' | 'key' | 'from' | 'charged'
>

/** The components whose amounts move with a change: those of the same set, then those of the sets that import it. */
export function followersOfChange(
  change: Followed,
  sets: readonly RateSetSpec[],
  words: Vocabulary = AS_WRITTEN,
): Follower[] {
  const subject = subjectOn(sets, change.pricingCode, change.from)
  const own = subject ? followersIn(change, subject.spec, words) : []
  return [...own, ...importingFollowers(change, sets)]
}

/** The amounts that are a share of an amount of a zone, such as the duty on it. */
const sharesOf = (
  { component, label, charged, isEstimate }: ZoneAmount,
  spec: RateSetSpec,
  day: string,
): ZoneAmount[] =>
  charged === undefined
    ? []
    : followersOf({ component, charged }, spec, rulesOn(spec, day)).flatMap((one) => {
        const { from, to } = one.charged ?? {}
        if (from === undefined || to === undefined) return []
        const amounts = { old: dollars(from), new: dollars(to) }
        return [{ component: one.component, label, ...amounts, ...(isEstimate && { isEstimate }) }]
      })

/** Whether a change of the component itself says the same, as it does of a new zone. */
const isTold = (one: ZoneAmount, { pricingCode, from }: FigureChange, changes: readonly FigureChange[]): boolean =>
  changes.some(
    (other) =>
      other.pricingCode === pricingCode &&
      other.from === from &&
      other.component === one.component &&
      other.old === one.old &&
      other.new === one.new,
  )

/** Whether a change moves the line of its component for some vehicles. */
const movesLine = ({ kind, about, role, key }: Followed): boolean =>
  kind === 'rule' && (about === 'figure' || role === 'condition' || key === 'outcome')

function followersIn(change: Followed, spec: RateSetSpec, words: Vocabulary): Follower[] {
  const { component, from } = change
  const rules = rulesOn(spec, from)
  if (movesLine(change)) return followersOf(change, spec, rules)
  const list = isOfZones(change) ? component.slice(ZONES.length) : assumedList(change, spec, words)
  const readers = rules.filter(({ cases }) => list !== undefined && readsZones(cases, list))
  return unique(
    readers.flatMap((rule) => [
      { component: rule.component },
      ...followersOf({ component: rule.component }, spec, rules).map((one) => ({ component: one.component })),
    ]),
  )
}

/** The list of zones of which a zone is assumed. */
function assumedList({ component, label }: Followed, spec: RateSetSpec, words: Vocabulary): string | undefined {
  const lists = component === MISSING ? (spec.missing ?? []).flatMap(({ zone }) => zone ?? []) : []
  return lists.find((one) => words.without(one, 'zone') === label)
}

/** The components of other sets that are computed from a line of the set of the change, as stamp duty is from luxury car tax. */
function importingFollowers(change: Followed, sets: readonly RateSetSpec[]): Follower[] {
  const { pricingCode, from } = change
  if (!movesLine(change)) return []
  const codes = new Set(sets.flatMap((one) => (one.imports?.includes(pricingCode) ? [one.pricingCode] : [])))
  return [...codes].sort().flatMap((code) => {
    const spec = subjectOn(sets, code, from)?.spec
    const found = spec?.imports?.includes(pricingCode) ? followersOf(change, spec, rulesOn(spec, from)) : []
    return found.map((one) => ({ ...one, pricingCode: code }))
  })
}

/** Components that are computed from the line of another one. */
function followersOf(
  { component, charged }: Pick<Followed, 'component' | 'charged'>,
  { bases = [] }: RateSetSpec,
  rules: readonly Rule[],
): Follower[] {
  const line = `line:${component}`
  const termsOf = (basis: string) => bases.find(({ name }) => name === basis)?.cases.map(termsIn) ?? []
  const reads = (basis: string): boolean =>
    termsOf(basis)
      .flat()
      .some((term) => term === line || (term.startsWith('basis:') && reads(term.slice('basis:'.length))))
  const own = rules.filter(({ basis, component: of }) => of !== component && basis !== undefined && reads(basis))
  return unique(
    own.map((rule) => {
      const isAlone = termsOf(rule.basis!).every((terms) => terms.length === 1 && terms[0] === line)
      const percent = isAlone ? percentOf(rule) : undefined
      if (percent === undefined) return { component: rule.component }
      return { component: rule.component, percent, ...(charged && { charged: partOf(charged, percent) }) }
    }),
  )
}

const termsIn = ({ sum = [], greatest = [], firstPresent = [], minus = [] }: BasisCase): string[] => [
  ...sum,
  ...greatest,
  ...firstPresent,
  ...minus,
]

/** The percentage of every charge of a rule, if all have the same and nothing else changes the amount. */
function percentOf({ cases, terms, termScale }: Rule): string | undefined {
  const charges = cases.flatMap(({ charge }) => charge ?? [])
  const percent = charges[0]?.whole?.percent
  const isOnly = charges.every((charge) => charge.whole?.percent === percent && Object.keys(charge).length === 1)
  return isOnly && (terms ?? termScale) === undefined ? percent : undefined
}

/** Some per cent of both amounts, each rounded to a whole cent. */
function partOf({ from, to }: { from: number; to: number }, percent: string): { from: number; to: number } {
  const share = multiply(parseExact(percent), parseExact('0.01'))
  const of = (cents: number) => Number(formatExact(roundTo(multiply(whole(cents), share), whole(1), 'halfUp')))
  return { from: of(from), to: of(to) }
}

/** Whether some part of a rule reads a list of zones: a table by its zones, or a condition. */
function readsZones(part: unknown, list: string): boolean {
  if (typeof part !== 'object' || part === null) return false
  const { zone } = part as { zone?: unknown }
  if (zone === list || (typeof zone === 'object' && (zone as { name?: string } | null)?.name === list)) return true
  return Object.values(part).some((inner) => readsZones(inner, list))
}

const unique = (all: readonly Follower[]): Follower[] => [...new Map(all.map((one) => [one.component, one])).values()]
