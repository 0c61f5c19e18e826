import { addYears, dayOf } from '../dates.ts'
import { add, compare, exactOf, multiply, parseExact, whole, type Exact } from '../exact.ts'
import type { AgeTest, DateTest, DerivedTest, NumberTest } from '../grammar/condition.ts'
import type { BooleanFact, DateFact, EnumFact, Fact, NumberFact } from '../grammar/facts.ts'
import type { DerivedFact } from '../grammar/rate-set.ts'
import { firstOnTheRoad, isRegisteredBefore, leastMass, MASSES, mostMass } from './possible.ts'
import {
  codeOf,
  FACT_INDEX,
  FALSE,
  isUnknown,
  TRUE,
  UNKNOWN,
  type State,
  type Test,
  type Truth,
  type Unknown,
} from '../state.ts'

/** Reports the fact when it is unknown. */
export function blameFact(fact: Fact): Test['blame'] {
  const slot = FACT_INDEX[fact]
  const unknown: Unknown = { kind: 'fact', slot, fact }
  return (state, unknowns) => {
    if (isUnknown(state.facts[slot])) unknowns.push(unknown)
  }
}

/** Tests whether the fact is one of the words. */
export function wordTest(fact: EnumFact, words: readonly string[]): Test {
  const slot = FACT_INDEX[fact]
  const mask = words.reduce((bits, word) => bits | (1 << codeOf(fact, word)), 0)
  return {
    holds: (state) => {
      const code = state.facts[slot]!
      return isUnknown(code) ? UNKNOWN : (((mask >> code) & 1) as Truth)
    },
    blame: blameFact(fact),
  }
}

/**
 * Tests whether the fact is within the bounds. Bounds and facts are compared as the doubles nearest to their decimals.
 * The comparison is exact: conversion keeps the order, and no two decimals of 15 digits have the same double.
 */
export function numberTest(fact: NumberFact, bounds: NumberTest): Test {
  const slot = FACT_INDEX[fact]
  const range: Range = {
    above: Number(bounds.above ?? -Infinity),
    min: Number(bounds.min ?? -Infinity),
    max: Number(bounds.max ?? Infinity),
    below: Number(bounds.below ?? Infinity),
  }
  const isMass = MASSES.includes(slot)
  return {
    holds: (state) => {
      const value = state.facts[slot]!
      if (!isUnknown(value)) return isLow(value, range) || isHigh(value, range) ? FALSE : TRUE
      return isMass ? provenMass(slot, range, state) : UNKNOWN
    },
    blame: blameFact(fact),
  }
}

type Range = Required<Record<keyof NumberTest, number>>

const isLow = (value: number, { above, min }: Range): boolean => value <= above || value < min
const isHigh = (value: number, { max, below }: Range): boolean => value > max || value >= below

/** What the masses that were sent prove about one that was not: a laden vehicle is not lighter than an empty one. */
function provenMass(slot: number, range: Range, state: State): Truth {
  const least = leastMass(slot, state)
  const most = mostMass(slot, state)
  if (isHigh(least, range) || isLow(most, range)) return FALSE
  return isLow(least, range) || isHigh(most, range) ? UNKNOWN : TRUE
}

/** Tests whether the fact is `true`, or whether it is `false`. */
export function booleanTest(fact: BooleanFact, expected: boolean): Test {
  const slot = FACT_INDEX[fact]
  const code = expected ? 1 : 0
  const isProven = fact === 'previouslyRegistered' ? isRegisteredBefore : () => false
  return {
    holds: (state) => {
      const value = state.facts[slot]!
      if (!isUnknown(value)) return value === code ? TRUE : FALSE
      if (isProven(state)) return expected ? TRUE : FALSE
      return UNKNOWN
    },
    blame: blameFact(fact),
  }
}

/** Tests whether the date is within the bounds, both inclusive. */
export function dateTest(fact: DateFact, bounds: DateTest): Test {
  const slot = FACT_INDEX[fact]
  const from = bounds.from ? dayOf(bounds.from) : 0
  const to = bounds.to ? dayOf(bounds.to) : Infinity
  const isTooLate = fact === 'firstRegisteredDate' ? (state: State) => firstOnTheRoad(state) > to : () => false
  return {
    holds: (state) => {
      const day = state.facts[slot]!
      if (isUnknown(day)) return isTooLate(state) ? FALSE : UNKNOWN
      return day >= from && day <= to ? TRUE : FALSE
    },
    blame: blameFact(fact),
  }
}

/** Tests whether the requested day is within the bounds, both inclusive, even when another day's rates apply. */
export function requestedDateTest(bounds: DateTest): Test {
  const from = bounds.from ? dayOf(bounds.from) : 0
  const to = bounds.to ? dayOf(bounds.to) : Infinity
  return {
    holds: ({ ageDay }) => (ageDay >= from && ageDay <= to ? TRUE : 0),
    blame: () => undefined,
  }
}

/**
 * Tests the calendar years from the date to the requested day, even when another day's rates apply. Exactly n years old
 * is not more than n years.
 */
export function ageTest(age: AgeTest): Test {
  const slot = FACT_INDEX[age.from]
  const { moreThanYears, atMostYears } = age
  return {
    holds: (state) => {
      const day = state.facts[slot]!
      if (isUnknown(day)) return age.from === 'manufactureDate' ? provenAge(age, state) : UNKNOWN
      if (moreThanYears !== undefined && state.ageDay <= addYears(day, moreThanYears)) return FALSE
      return atMostYears === undefined || state.ageDay <= addYears(day, atMostYears) ? TRUE : FALSE
    },
    blame: blameFact(age.from),
  }
}

/**
 * What other facts prove about the age of a vehicle whose date of manufacture is unknown: they can prove that it is
 * older, never that it is younger.
 */
function provenAge({ moreThanYears, atMostYears }: AgeTest, state: State): Truth {
  const registered = state.facts[FACT_INDEX.firstRegisteredDate]!
  const year = state.facts[FACT_INDEX.year]!
  // A vehicle is made before it is registered, and no later than the year after its model year.
  const latest = Math.min(
    isUnknown(registered) ? Infinity : registered,
    isUnknown(year) ? Infinity : year * 10_000 + 11_231,
  )
  const older = (years: number) => latest < Infinity && state.ageDay > addYears(latest, years)
  if (atMostYears !== undefined) return older(atMostYears) ? FALSE : UNKNOWN
  return moreThanYears !== undefined && older(moreThanYears) ? TRUE : UNKNOWN
}

/** Tests whether the facts were sent; an assumed value does not count. */
export function presentTest(facts: readonly Fact[]): Test {
  const slots = facts.map((fact) => FACT_INDEX[fact])
  const sent = (state: State, slot: number) => !isUnknown(state.facts[slot]) && !state.overlay?.facts.has(slot)
  const unknowns = facts.map((fact) => ({ kind: 'fact' as const, slot: FACT_INDEX[fact], fact }))
  return {
    holds: (state) => (slots.every((slot) => sent(state, slot)) ? TRUE : state.isOpen ? UNKNOWN : 0),
    // For a request, it is always known which facts were sent.
    blame: (state, found) => void found.push(...unknowns.filter(({ slot }) => !sent(state, slot))),
  }
}

/** Tests whether the weighted sum of facts is within the bounds; the sum is exact. */
export function derivedTest(derived: DerivedFact, bounds: DerivedTest): Test {
  const terms = derived.sum.map(({ fact, times }) => ({ slot: FACT_INDEX[fact], times: parseExact(times ?? '1') }))
  const blames = derived.sum.map(({ fact }) => blameFact(fact))
  const within = boundsOf(bounds)
  return {
    holds: (state) => {
      let sum = whole(0)
      for (const { slot, times } of terms) {
        const value = state.facts[slot]!
        if (isUnknown(value)) return UNKNOWN
        sum = add(sum, multiply(exactOf(value), times))
      }
      return within(sum) ? TRUE : FALSE
    },
    blame: (state, unknowns) => {
      for (const blame of blames) blame(state, unknowns)
    },
  }
}

function boundsOf({ above, min, max, below }: DerivedTest): (value: Exact) => boolean {
  const checks: ((value: Exact) => boolean)[] = []
  const edge = (text: string | undefined, holds: (order: number) => boolean) => {
    if (text === undefined) return
    const bound = parseExact(text)
    checks.push((value) => holds(compare(value, bound)))
  }
  edge(above, (order) => order > 0)
  edge(min, (order) => order >= 0)
  edge(max, (order) => order <= 0)
  edge(below, (order) => order < 0)
  return (value) => checks.every((check) => check(value))
}
