import type { Fault } from './fault.ts'
import type { Charge } from '../engine/grammar/charge.ts'
import type { Condition } from '../engine/grammar/condition.ts'
import type { BasisCase, RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Rule } from '../engine/grammar/rule.ts'
import { adjustmentsOf } from './parts.ts'
import { entries, type Check } from './subject.ts'

// A quote evaluates a class wherever the class is named, also within other classes: 22 classes that each name the
// previous one twice are four million tests for one quote. The largest class or basis of the real sets has 69 tests,
// and the largest set 456.
const MOST_OF_ONE = 2_000
const MOST_OF_ALL = 20_000

/** No class, no basis and no set has too many tests once each class and basis is written out wherever it is named. */
export const expansionsBounded: Check = ({ spec }) => {
  const sizes = sizesOf(spec)
  const named = [
    ...entries('classes', spec.classes).map(({ path, value }) => ({ path, size: sizes.ofClass(value.name) })),
    ...entries('bases', spec.bases).map(({ path, value }) => ({ path, size: sizes.ofBasis(value.name) })),
  ]
  const large = named.filter(({ size }) => size > MOST_OF_ONE)
  if (large.length > 0) return large.map(({ path, size }) => fault(path, size, MOST_OF_ONE))
  const rules = entries('rules', spec.rules).map(({ path, value }) => ({ path, size: sizeOfRule(value, sizes) }))
  const rest = [...(spec.missing ?? []), ...adjustmentsOf(spec).map(({ value }) => value)]
  const all = sum(rules, ({ size }) => size) + sum(rest, ({ when }) => sizes.ofCondition(when))
  if (all <= MOST_OF_ALL) return []
  const [largest] = rules.toSorted((a, b) => b.size - a.size)
  return [fault(largest?.path ?? '', all, MOST_OF_ALL, 'with the rest of the set, ')]
}

const fault = (path: string, size: number, most: number, what = ''): Fault => ({
  check: 'expansions-bounded',
  path,
  message: `${what}this part has ${shown(size)} tests once its classes and bases are written out; expected at most ${most}`,
})

const shown = (size: number) => (size < 1e15 ? String(size) : 'more than 10^15')

interface Sizes {
  ofCondition: (condition: Condition | undefined) => number
  ofClass: (name: string) => number
  ofBasis: (name: string) => number
  ofTerms: (terms: readonly string[] | undefined) => number
}

/**
 * The number of tests of each part, once written out; each name is counted once and then reused. An earlier stage has
 * excluded cycles.
 */
function sizesOf(spec: RateSetSpec): Sizes {
  const ofCondition = (condition: Condition | undefined): number =>
    condition
      ? Object.keys(condition).length +
        sum([...(condition.class ?? []), ...(condition.not ?? [])], (name) => ofClass(name))
      : 0
  const ofClass = remembered(
    (name) => 1 + sum(spec.classes?.find((one) => one.name === name)?.anyOf ?? [], ofCondition),
  )
  const ofTerms = (terms: readonly string[] | undefined): number =>
    sum(terms ?? [], (term) => (term.startsWith('basis:') ? ofBasis(term.slice('basis:'.length)) : 1))
  const ofCase = ({ when, sum: added, greatest, firstPresent, minus }: BasisCase) =>
    1 + ofCondition(when) + sum([added, greatest, firstPresent, minus], ofTerms)
  const ofBasis = remembered((name) => 1 + sum(spec.bases?.find((one) => one.name === name)?.cases ?? [], ofCase))
  return { ofCondition, ofClass, ofBasis, ofTerms }
}

function sizeOfRule({ when, basis, missing, cases }: Rule, sizes: Sizes): number {
  return (
    sizes.ofCondition(when) +
    (basis === undefined ? 0 : sizes.ofBasis(basis)) +
    sum(missing ?? [], (entry) => sizes.ofCondition(entry.when)) +
    sum(cases, (one) => 1 + sizes.ofCondition(one.when) + sizeOfCharge(one.charge, sizes))
  )
}

function sizeOfCharge(charge: Charge | undefined, { ofClass, ofTerms }: Sizes): number {
  const { columns = [], rows = [] } = charge?.table ?? {}
  const named = [...columns, ...rows.flatMap((row) => row.class ?? [])]
  return sum(named, ofClass) + rows.length + (charge?.bands?.length ?? 0) + ofTerms(charge?.less)
}

function remembered(count: (name: string) => number): (name: string) => number {
  const known = new Map<string, number>()
  return (name) => {
    const size = known.get(name) ?? count(name)
    known.set(name, size)
    return size
  }
}

const sum = <T>(list: readonly T[], count: (each: T) => number): number =>
  list.reduce((total, each) => total + count(each), 0)
