import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { RatePer, TypedFigure } from './said.ts'
import { explanationOf } from './figure-change.ts'
import { turningsIn, type Turning } from './figures.ts'
import { followersOfChange } from './followers.ts'
import { spansOf } from './spans.ts'
import type { Statement } from './statements.ts'
import { isOfZones } from './zone-moves.ts'
import { listOf } from './zone-statements.ts'
import { isSameData } from './same-data.ts'

/** One statement of the rates that begins on a day, as data. */
export interface TypedChange {
  pricingCode: string
  /** First day of the change, ISO. */
  effectiveDate: string
  /** Last day, ISO; absent when the change lasts to the last day of the published rates. */
  lastDate?: string
  kind: 'component' | 'parameter' | 'concession' | 'definition'
  name: string
  /** Path in the rate set of the later day, or of the earlier day when the statement ends. */
  path: string
  ruleId?: string
  description: string
  /**
   * The unit of `from` and `to`: integer cents, a decimal of cents, a decimal of per cent, another decimal number, the
   * name of a zone, or words.
   */
  unit: 'cents' | 'fractionalCents' | 'percent' | 'number' | 'zone' | 'words'
  /** The unit that a rate is for: cents of the basis, or an amount of a fact. */
  per?: RatePer
  from: number | string | null
  to: number | string | null
  /** The cents of the line of a quote, and its months, when the figure alone determines the line. */
  charged?: Charged
  /** The postcodes that move from one zone to another. */
  postcodes?: readonly string[]
  /** The components whose lines move with it because they are computed from its line, or read the zone; absent: none. */
  followedBy?: readonly FollowedBy[]
  sources: readonly string[]
}

export interface Charged {
  from: number | null
  to: number | null
  months?: number
}

/** A component of a pricing code whose line moves with a change of another part. */
export interface FollowedBy {
  pricingCode: string
  component: string
  /** Its share of the line that changes, a decimal of per cent, when nothing else determines it. */
  percent?: string
  /** The cents of its line, when the change alone determines it. */
  charged?: Charged
}

/** The changes within some rate sets, one pricing code after another, each in the order of its days. */
export function* typedChanges(sets: readonly RateSetSpec[]): Generator<TypedChange[]> {
  const codes = [...new Set(sets.map(({ pricingCode }) => pricingCode))].sort()
  for (const pricingCode of codes) {
    const spans = spansOf(sets, sets, pricingCode)
    yield spans.flatMap((_span, at) => asData(pricingCode, turningsIn(spans, at), sets))
  }
}

/** The changes of a pricing code that some statements make; `sets` name what follows them. */
export function asData(pricingCode: string, turnings: readonly Turning[], sets: readonly RateSetSpec[]): TypedChange[] {
  // A change of evidence does not change the figure.
  const told = turnings.filter((one) => saidOf(one).about !== 'evidence')
  const zones = told.filter((one) => isOfZones(saidOf(one)))
  const others = told.filter((one) => !isOfZones(saidOf(one)))
  return [
    ...others.map((one) => typedChange(pricingCode, one, sets)),
    ...zoneGroups(zones).map((group) => zoneChange(pricingCode, group, sets)),
  ]
}

const KINDS = { rule: 'component', parameter: 'parameter', concession: 'concession', other: 'definition' } as const

/** The new statement, or the old one when there is no new one. */
const saidOf = ({ old, now }: Turning): Statement => (now ?? old)!

function typedChange(pricingCode: string, turning: Turning, sets: readonly RateSetSpec[]): TypedChange {
  const { old, now } = turning
  const values = valuesOf(old, now)
  const followed = followedBy(pricingCode, turning, sets, values.charged)
  return { ...placeOf(pricingCode, turning), ...values, ...followed, sources: saidOf(turning).sources }
}

/** What follows a change; a new reason for the same outcome moves no line. */
function followedBy(
  pricingCode: string,
  turning: Turning,
  sets: readonly RateSetSpec[],
  { from, to, months }: Partial<Charged> = {},
): Pick<TypedChange, 'followedBy'> {
  const { old, now, from: day } = turning
  if (explanationOf(old, now).isExplanation) return {}
  const isOfBoth = typeof from === 'number' && typeof to === 'number'
  const change = { ...saidOf(turning), pricingCode, from: day, ...(isOfBoth && { charged: { from, to } }) }
  const found = followersOfChange(change, sets).map(
    ({ component, percent, charged, pricingCode: code = pricingCode }) => ({
      ...{ pricingCode: code, component },
      ...(percent !== undefined && { percent }),
      ...(charged && { charged: { ...charged, ...(months !== undefined && { months }) } }),
    }),
  )
  return found.length > 0 ? { followedBy: found } : {}
}

type Place = Omit<TypedChange, keyof Values | 'followedBy' | 'sources'>

function placeOf(pricingCode: string, turning: Turning): Place {
  const { from, until } = turning
  const { kind, component, path = component, label, ruleId } = saidOf(turning)
  return {
    pricingCode,
    effectiveDate: from,
    ...(until !== undefined && { lastDate: until }),
    kind: KINDS[kind],
    name: component,
    path,
    ...(ruleId !== undefined && { ruleId }),
    description: label,
  }
}

/** Postcodes that move together in the same period. */
function zoneGroups(turnings: readonly Turning[]): Turning[][] {
  const groups = Map.groupBy(turnings, (one) =>
    JSON.stringify([saidOf(one).component, one.until, one.old?.value, one.now?.value]),
  )
  return [...groups.values()]
}

function zoneChange(pricingCode: string, group: readonly Turning[], sets: readonly RateSetSpec[]): TypedChange {
  const [first] = group as [Turning]
  const [from, to] = [first.old?.value ?? null, first.now?.value ?? null]
  const [leaving, joining] = [from && ` from zone ${from}`, to && ` to zone ${to}`]
  const description = `moves${leaving ?? ' from no zone'}${joining ?? ' to no zone'}`
  const postcodes = listOf(group.map((one) => Number(saidOf(one).label)))
  const followed = followedBy(pricingCode, first, sets)
  return { ...placeOf(pricingCode, first), description, unit: 'zone', from, to, postcodes, ...followed, sources: [] }
}

type Values = Pick<TypedChange, 'unit' | 'per' | 'from' | 'to' | 'charged' | 'postcodes'>

/**
 * Data when the sides that have a statement state one number each, of the same unit, and the numbers differ; words
 * otherwise.
 */
function valuesOf(old: Turning['old'], now: Turning['now']): Values {
  const sides = [old, now].filter((side) => side !== undefined)
  const figures = sides.flatMap(({ figure }) => figure ?? [])
  const [first, second] = figures
  if (!first || figures.length < sides.length || (second && !isOneUnit(first, second)) || isOneFigure(first, second)) {
    return { unit: 'words', ...between(old, now, ({ value }) => value) }
  }
  const { from, to } = between(old, now, ({ figure }) => figure!.value)
  const values = inUnit(first.unit, [from, to])
  return { ...values, ...chargedOf(old, now), ...(first.per && { per: first.per }) }
}

/** The cents of the line, when each side that has a statement gives an amount for the same term. */
function chargedOf(old: Turning['old'], now: Turning['now']): { charged?: Charged } {
  const sides = [old, now].flatMap((side) => side?.figure ?? [])
  const all = sides.flatMap(({ charged }) => charged ?? [])
  const [first] = all
  if (!first || all.length < sides.length || all.some(({ months }) => months !== first.months)) return {}
  const { from, to } = between(old, now, ({ figure }) => figure!.charged!.cents)
  const { months } = first
  return { charged: { from: numberOf(from), to: numberOf(to), ...(months !== undefined && { months }) } }
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))

const between = (old: Turning['old'], now: Turning['now'], said: (statement: Statement) => string) => ({
  from: old ? said(old) : null,
  to: now ? said(now) : null,
})

const isOneUnit = (a: TypedFigure, b: TypedFigure) => a.unit === b.unit && isSameData(a.per, b.per)

/**
 * Whether both sides have the same figure, so that the change lies elsewhere: the same percentage, but of the whole
 * amount before and of the excess now, for example.
 */
const isOneFigure = (a: TypedFigure, b: TypedFigure | undefined) => isSameData(a, b)

function inUnit(unit: TypedFigure['unit'], [from, to]: [string | null, string | null]): Values {
  if (unit !== 'cents') return { unit, from, to }
  if (from?.includes('.') || to?.includes('.')) return { unit: 'fractionalCents', from, to }
  return { unit, from: numberOf(from), to: numberOf(to) }
}
