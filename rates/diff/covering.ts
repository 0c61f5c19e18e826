import { isApart, isWithin, testsOf, type Tests } from './conditions-within.ts'
import type { Said } from './spans.ts'
import { listKey, type Statement } from './statements.ts'

/*
 * A case that one side of a comparison has and the other has not ends nothing by itself: what it applied to falls under
 * another case, of the same rule or of another rule for the component. Where the tests alone say which case that is, and both
 * charge in the same way, the two are compared, so that an amount that goes on to be charged is not told to end.
 */

/** A rule without its cases, or one of its cases. */
interface Unit {
  /** How the keys of its statements begin. */
  key: string
  component: string
  tests: Tests
  /** What it applies to where it has no condition. */
  words: string
  /** What it says, by the rest of the key. */
  said: Map<string, Statement>
}

const RULE = 1
const CASE = 2

/** What a set says in place of a statement of another, whose rule or case the set has not; undefined where the tests leave that open. */
export function inPlaceOf(one: Statement, of: Said, said: Said): Statement | undefined {
  if (one.kind !== 'rule' || of === said || NOT_COMPARED.has(one.key)) return undefined
  const isInCase = one.places?.[1]?.list === 'cases'
  const key = listKey(one, isInCase ? CASE : RULE)
  const cover = coversOf(of, said, isInCase ? CASE : RULE).get(key)
  const found = cover && (cover.said.get(restOf(one, key)) ?? everywhere(one, cover))
  return found && { ...found, ...namesOf(one), isOfOther: true }
}

/** How the rules of a component stand to each other; and the order of a list, which is of its own parts. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['priority', 'order of cases', 'order of missing'])

/** A statement keeps the names of the case that it is read for. */
const namesOf = ({ label, what, case: ofCase, titles, places }: Statement): Partial<Statement> => ({
  label,
  ...(what !== undefined && { what }),
  ...(ofCase !== undefined && { case: ofCase }),
  ...(titles && { titles }),
  ...(places && { places }),
})

/** What a case without a condition applies to: it says nothing of that. */
const everywhere = (one: Statement, { words }: Unit): Statement | undefined =>
  one.key === 'when' ? { ...one, value: words } : undefined

const restOf = (one: Statement, key: string): string => `${listKey(one)}/${one.key}`.slice(key.length)

type Covers = ReadonlyMap<string, Unit>

const known = new WeakMap<Said, WeakMap<Said, readonly [Covers, Covers]>>()

/** By the key of each rule, or case, that only the first has: the one of the second under which falls what it applies to. */
function coversOf(of: Said, said: Said, depth: number): Covers {
  const ofSaid = known.get(of) ?? new WeakMap<Said, readonly [Covers, Covers]>()
  known.set(of, ofSaid)
  const found = ofSaid.get(said) ?? ([coversAt(RULE, of, said), coversAt(CASE, of, said)] as const)
  ofSaid.set(said, found)
  return found[depth - 1]!
}

function coversAt(depth: number, of: Said, said: Said): Covers {
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

/** The first of the same component that can hold for what a part applied to, where it holds for all of that. */
function coverOf(unit: Unit, above: ReadonlySet<string>, others: readonly Unit[]): Unit | undefined {
  const own = others.filter(({ component }) => component === unit.component)
  const first = own.find(({ key, tests }) => !above.has(key) && !isApart(unit.tests, tests))
  return first && isWithin(unit.tests, first.tests) ? first : undefined
}

/** Whether two cases say what they charge in the same figures, however much that is. */
function chargesAlike(one: Unit, other: Unit): boolean {
  const names = ({ said }: Unit) =>
    [...said].flatMap(([key, { about, role, what, label }]) =>
      about === 'evidence' || role === 'condition' ? [] : [`${key} ${what ?? label}`],
    )
  return names(one).sort().join('\n') === names(other).sort().join('\n')
}

const units = new WeakMap<Said, readonly [readonly Unit[], readonly Unit[]]>()

/** The rules, or the cases, of a set in the order in which they are tried. */
function unitsOf(said: Said, depth: number): readonly Unit[] {
  const found = units.get(said) ?? ([unitsAt(RULE, said), unitsAt(CASE, said)] as const)
  units.set(said, found)
  return found[depth - 1]!
}

function unitsAt(depth: number, { statements }: Said): Unit[] {
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
