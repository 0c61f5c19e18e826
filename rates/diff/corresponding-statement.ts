import { isApart, isWithin, testsOf, type Tests } from './conditions-within.ts'
import type { SetStatements } from './spans.ts'
import { listKey, type Statement } from './statements.ts'

/*
 * A case that only one side of a comparison has does not end a charge by itself: another case, of the same rule or of
 * another rule for the component, covers the same vehicles. When the tests alone determine that case, and both charge
 * in the same way, the two are compared, so that an amount which is still charged is not reported to end.
 */

/** A rule without its cases, or one case of a rule. */
interface Unit {
  /** The prefix of the keys of its statements. */
  key: string
  component: string
  tests: Tests
  /** The words for what it applies to when it has no condition. */
  words: string
  /** Its statements, by the rest of the key. */
  said: Map<string, Statement>
}

const RULE = 1
const CASE = 2

/**
 * The statement of a set that corresponds to a statement of another set, when the set lacks the rule or case; undefined
 * when the tests do not determine one.
 */
export function inPlaceOf(one: Statement, of: SetStatements, said: SetStatements): Statement | undefined {
  if (one.kind !== 'rule' || of === said || NOT_COMPARED.has(one.key)) return undefined
  const isInCase = one.places?.[1]?.list === 'cases'
  const key = listKey(one, isInCase ? CASE : RULE)
  const cover = coversOf(of, said, isInCase ? CASE : RULE).get(key)
  const found = cover && (cover.said.get(restOf(one, key)) ?? everywhere(one, cover))
  return found && { ...found, ...namesOf(one), isOfOther: true }
}

/**
 * Relations between the rules of a component, and orders of lists. They concern the set's own parts, so they are not
 * compared.
 */
const NOT_COMPARED: ReadonlySet<string> = new Set(['priority', 'order of cases', 'order of missing'])

/** The names of the place for which another statement is read. */
export const namesOf = ({ label, what, case: ofCase, titles, places }: Statement): Partial<Statement> => ({
  label,
  ...(what !== undefined && { what }),
  ...(ofCase !== undefined && { case: ofCase }),
  ...(titles && { titles }),
  ...(places && { places }),
})

/** What a case without a condition applies to; it has no statement of its own about that. */
const everywhere = (one: Statement, { words }: Unit): Statement | undefined =>
  one.key === 'when' ? { ...one, value: words } : undefined

const restOf = (one: Statement, key: string): string => `${listKey(one)}/${one.key}`.slice(key.length)

type Covers = ReadonlyMap<string, Unit>

const known = new WeakMap<SetStatements, WeakMap<SetStatements, readonly [Covers, Covers]>>()

/** By the key of each rule or case that only `of` has: the rule or case of `said` that covers what it applies to. */
function coversOf(of: SetStatements, said: SetStatements, depth: number): Covers {
  const ofSaid = known.get(of) ?? new WeakMap<SetStatements, readonly [Covers, Covers]>()
  known.set(of, ofSaid)
  const found = ofSaid.get(said) ?? ([coversAt(RULE, of, said), coversAt(CASE, of, said)] as const)
  ofSaid.set(said, found)
  return found[depth - 1]!
}

function coversAt(depth: number, of: SetStatements, said: SetStatements): Covers {
  const [were, are] = [unitsOf(of, depth), unitsOf(said, depth)]
  const kept = new Set(are.map(({ key }) => key))
  const gone = were.filter(({ key }) => !kept.has(key))
  return new Map(
    gone.flatMap((unit) => {
      const above = new Set(were.slice(0, were.indexOf(unit)).map(({ key }) => key))
      const cover = coverOf(unit, above, are)
      return cover && (depth === RULE || chargesAlike(unit, cover)) ? [[unit.key, cover] as const] : []
    }),
  )
}

/** The first unit of the same component that can hold for what `unit` applied to, if it holds for all of that. */
function coverOf(unit: Unit, above: ReadonlySet<string>, others: readonly Unit[]): Unit | undefined {
  const own = others.filter(({ component }) => component === unit.component)
  const first = own.find(({ key, tests }) => !above.has(key) && !isApart(unit.tests, tests))
  return first && isWithin(unit.tests, first.tests) ? first : undefined
}

/** Whether two cases state their charges with the same figures, whatever the amounts. */
function chargesAlike(one: Unit, other: Unit): boolean {
  const names = ({ said }: Unit) =>
    [...said].flatMap(([key, { about, role, what, label }]) =>
      about === 'evidence' || role === 'condition' ? [] : [`${key} ${what ?? label}`],
    )
  return names(one).sort().join('\n') === names(other).sort().join('\n')
}

const units = new WeakMap<SetStatements, readonly [readonly Unit[], readonly Unit[]]>()

/** The rules or cases of a set, in the order in which they are tried. */
function unitsOf(said: SetStatements, depth: number): readonly Unit[] {
  const found = units.get(said) ?? ([unitsAt(RULE, said), unitsAt(CASE, said)] as const)
  units.set(said, found)
  return found[depth - 1]!
}

function unitsAt(depth: number, { statements }: SetStatements): Unit[] {
  const found = new Map<string, Unit>()
  for (const one of statements.values()) {
    const place = one.kind === 'rule' ? one.places?.[depth - 1] : undefined
    if (!place || place.list !== (depth === CASE ? 'cases' : 'rules')) continue
    const key = listKey(one, depth)
    const unit = found.get(key) ?? unitOf(one, key, depth)
    found.set(key, unit)
    unit.said.set(restOf(one, key), one)
  }
  return [...found.values()]
}

function unitOf({ component, places = [] }: Statement, key: string, depth: number): Unit {
  const tests = testsOf(...places.slice(0, depth).map(({ when }) => when))
  return { key, component, tests, words: depth === CASE ? 'otherwise' : 'everything', said: new Map() }
}
