import { compileAmount } from './amount.ts'
import { compare } from '../exact.ts'
import {
  ageTest,
  booleanTest,
  dateTest,
  derivedTest,
  numberTest,
  presentTest,
  requestedDateTest,
  wordTest,
} from './fact-tests.ts'
import { ofClass, readByClass } from './depends.ts'
import type { Condition } from '../grammar/condition.ts'
import { BOOLEAN_FACTS, DATE_FACTS, ENUM_FACTS, NUMBER_FACTS, type EnumFact } from '../grammar/facts.ts'
import type { NamedClass } from '../grammar/rate-set.ts'
import { refuse, type Basis, type NamedTest, type Place } from './scope.ts'
import { FALSE, TRUE, UNKNOWN, type Test, type Truth, type Unknown } from '../state.ts'

/** Compiles a condition: every key must hold. `basis` is the basis of the rule, if the rule has one. */
export function compileCondition(condition: Condition, place: Place, basis?: Basis): Test {
  const tests = [
    ...factTests(condition),
    ...(condition.derived ?? []).map((bounds) => derivedTest(derivedOf(bounds.name, place), bounds)),
    ...(condition.class ?? []).map((name) => place.scope.classOf(name, place.at('class'))),
    ...(condition.not ?? []).map((name) => negated(place.scope.classOf(name, place.at('not')))),
  ]
  if (condition.zone) tests.push(zoneTest(condition.zone, place.at('zone')))
  if (condition.basis) tests.push(basisTest(condition.basis, place.at('basis'), basis))
  return allOf(tests)
}

/** Compiles the `when` of a path; null if there is none. */
export function compileWhen(when: Condition | undefined, place: Place, basis?: Basis): Test | null {
  return when ? compileCondition(when, place.at('when'), basis) : null
}

function factTests(condition: Condition): Test[] {
  const tests: Test[] = []
  for (const fact of Object.keys(ENUM_FACTS) as EnumFact[]) {
    const words = condition[fact]
    if (words) tests.push(wordTest(fact, words))
  }
  for (const fact of NUMBER_FACTS) if (condition[fact]) tests.push(numberTest(fact, condition[fact]))
  for (const fact of BOOLEAN_FACTS) {
    if (condition[fact] !== undefined) tests.push(booleanTest(fact, condition[fact]))
  }
  for (const fact of DATE_FACTS) if (condition[fact]) tests.push(dateTest(fact, condition[fact]))
  if (condition.age) tests.push(ageTest(condition.age))
  if (condition.requestedDate) tests.push(requestedDateTest(condition.requestedDate))
  if (condition.present) tests.push(presentTest(condition.present))
  return tests
}

function derivedOf(name: string, place: Place) {
  const found = place.scope.spec.derivedFacts?.find((each) => each.name === name)
  return found ?? refuse(place.at('derived'), `there is no derived fact ${name}`)
}

/** Combines tests: false when one is false, even if others are unknown; otherwise unknown when one is unknown. */
export function allOf(tests: readonly Test[]): Test {
  const [only] = tests
  if (only && tests.length === 1) return only
  const holds: Test['holds'] = (state) => {
    let truth: Truth = TRUE
    for (const test of tests) {
      const each = test.holds(state)
      if (each === FALSE) return FALSE
      if (each === UNKNOWN) truth = UNKNOWN
    }
    return truth
  }
  return { holds, blame: blameEach(tests) }
}

function anyOf(tests: readonly Test[]): Test {
  const [only] = tests
  if (only && tests.length === 1) return only
  const holds: Test['holds'] = (state) => {
    let truth: Truth = FALSE
    for (const test of tests) {
      const each = test.holds(state)
      if (each === TRUE) return TRUE
      if (each === UNKNOWN) truth = UNKNOWN
    }
    return truth
  }
  return { holds, blame: blameEach(tests) }
}

function blameEach(tests: readonly Test[]): Test['blame'] {
  return (state, unknowns) => {
    for (const test of tests) if (test.holds(state) === UNKNOWN) test.blame(state, unknowns)
  }
}

function negated(test: Test): Test {
  return {
    holds: (state) => {
      const truth = test.holds(state)
      return truth === UNKNOWN ? UNKNOWN : truth === TRUE ? FALSE : TRUE
    },
    blame: test.blame,
  }
}

/**
 * Compiles a class, which holds when any of its conditions holds. While a rule assumes an answer for the class, the
 * test returns that answer.
 */
export function compileClass(named: NamedClass, place: Place): NamedTest {
  const { scope } = place
  const slot = scope.slots.classes++
  const test = anyOf(named.anyOf.map((each, index) => compileCondition(each, place.at(`anyOf[${index}]`))))
  const specs = [scope.spec, ...scope.imports.map(({ spec }) => spec)]
  return {
    slot,
    candidates: ofClass(named.name, specs),
    names: readByClass(named.name, specs),
    holds: (state) => {
      if (state.overlay === null) return test.holds(state)
      return state.overlay.classes.get(slot) ?? test.holds(state)
    },
    blame: (state, unknowns) => {
      const facts: Unknown[] = []
      test.blame(state, facts)
      unknowns.push({ kind: 'class', slot, name: named.name, facts }, ...facts)
    },
  }
}

function zoneTest(zone: NonNullable<Condition['zone']>, place: Place): Test {
  const zones = place.scope.zonesOf(zone.name, place)
  const zoneIndexes = zone.in.map((each) => zones.indexOf(each, place))
  return {
    holds: (state) => {
      const index = zones.zoneOf(state)
      return index < 0 ? UNKNOWN : zoneIndexes.includes(index) ? TRUE : FALSE
    },
    blame: (_state, unknowns) => {
      unknowns.push({ kind: 'zone', slot: zones.slot, name: zones.name })
    },
  }
}

function basisTest(bounds: NonNullable<Condition['basis']>, place: Place, basis?: Basis): Test {
  if (!basis) return refuse(place, 'only a case of a rule with a basis can test it')
  const upTo = bounds.upTo === undefined ? null : compileAmount(bounds.upTo, place.at('upTo'))
  const above = bounds.above === undefined ? null : compileAmount(bounds.above, place.at('above'))
  return {
    holds: (state) => {
      const value = basis.computeAndNote(state)
      if (value === null) return UNKNOWN
      if (upTo && compare(value, upTo.computeAndNote(state)) > 0) return FALSE
      return above && compare(value, above.computeAndNote(state)) <= 0 ? FALSE : TRUE
    },
    blame: basis.blame,
  }
}
