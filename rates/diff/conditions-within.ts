import { compare, parseExact } from '../engine/exact.ts'
import type { Condition } from '../engine/grammar/condition.ts'
import { isSameData } from './same-data.ts'

/** Tests that must all hold; for a case, its own tests and those of its rule. */
export type Tests = readonly Condition[]

type Key = keyof Condition

/** The tests of some conditions; none for a rule or case that applies everywhere. */
export const testsOf = (...conditions: readonly (Condition | undefined)[]): Tests =>
  conditions.filter((one) => one !== undefined)

/**
 * Whether every vehicle that passes `inner` passes `outer`, as far as the tests alone show. The meaning of a class, a
 * zone or an amount is not looked up, because it may differ between years.
 */
export const isWithin = (inner: Tests, outer: Tests): boolean =>
  outer.every((condition) =>
    keysOf(condition).every((key) => inner.some((one) => one[key] !== undefined && implies(key, one, condition))),
  )

/** Whether no vehicle can pass both, as far as the tests alone show. */
export const isApart = (some: Tests, others: Tests): boolean =>
  some.some((one) => others.some((other) => excludes(one, other) || excludes(other, one)))

const keysOf = (condition: Condition): Key[] =>
  (Object.keys(condition) as Key[]).filter((key) => condition[key] !== undefined)

function implies(key: Key, inner: Condition, outer: Condition): boolean {
  // The amount may be of another year.
  if (key === 'basis') return false
  if (key === 'class' || key === 'not' || key === 'present' || key === 'derived')
    return holdsAll<unknown>(inner[key]!, outer[key]!)
  if (key === 'zone') return inner.zone!.name === outer.zone!.name && holdsAll(outer.zone!.in, inner.zone!.in)
  const [own, wide] = [inner[key], outer[key]]
  if (Array.isArray(own) && Array.isArray(wide)) return holdsAll<unknown>(wide, own)
  return isSameData(own, wide) || isRangeWithin(own, wide)
}

const holdsAll = <T>(all: readonly T[], some: readonly T[]): boolean =>
  some.every((one) => all.some((other) => isSameData(one, other)))

function excludes(one: Condition, other: Condition): boolean {
  if (one.class?.some((name) => other.not?.includes(name))) return true
  return keysOf(one).some((key) => {
    const [mine, theirs] = [one[key], other[key]]
    if (key === 'zone') return one.zone!.name === other.zone?.name && isDistinct(one.zone!.in, other.zone.in)
    if (theirs === undefined || ALL_HOLD.has(key)) return false
    if (Array.isArray(mine)) return Array.isArray(theirs) && isDistinct<unknown>(mine, theirs)
    return typeof mine === 'boolean' ? mine !== theirs : endsBelow(mine, theirs)
  })
}

/** Lists whose parts must all hold, and an amount whose value is not known here. */
const ALL_HOLD: ReadonlySet<Key> = new Set(['class', 'not', 'present', 'derived', 'basis', 'age'])

const isDistinct = <T>(some: readonly T[], others: readonly T[]): boolean => some.every((one) => !others.includes(one))

interface Bounds {
  least?: string
  isLeastIn?: boolean
  most?: string
  isMostIn?: boolean
}

/** The bounds of a test of a number or of a day; undefined for any other test. */
function boundsOf(test: unknown): Bounds | undefined {
  if (typeof test !== 'object' || test === null || Array.isArray(test)) return undefined
  const { above, min = above, below, max = below, from = min, to = max, ...others } = test as Record<string, string>
  if (Object.values(others).length > 0) return undefined
  return {
    ...(from !== undefined && { least: from, isLeastIn: above === undefined }),
    ...(to !== undefined && { most: to, isMostIn: below === undefined }),
  }
}

function isRangeWithin(inner: unknown, outer: unknown): boolean {
  const [own, wide] = [boundsOf(inner), boundsOf(outer)]
  if (!own || !wide) return false
  const isAtLeast =
    wide.least === undefined ||
    (own.least !== undefined && isOrdered(wide.least, own.least, wide.isLeastIn === true || own.isLeastIn === false))
  const isAtMost =
    wide.most === undefined ||
    (own.most !== undefined && isOrdered(own.most, wide.most, wide.isMostIn === true || own.isMostIn === false))
  return isAtLeast && isAtMost
}

/** Whether one range ends before the other begins. */
function endsBelow(low: unknown, high: unknown): boolean {
  const [{ most, isMostIn } = {}, { least, isLeastIn } = {}] = [boundsOf(low), boundsOf(high)]
  return most !== undefined && least !== undefined && isOrdered(most, least, isMostIn === false || isLeastIn === false)
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Whether one number or day is below another; `orEqual` also accepts equality. */
function isOrdered(low: string, high: string, orEqual: boolean): boolean {
  if (low === high) return orEqual
  return DAY.test(low) ? low < high : compare(parseExact(low), parseExact(high)) < 0
}
