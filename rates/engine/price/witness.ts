import { candidatesBeside, type Candidates } from '../compile/candidates.ts'
import { isoOf } from '../dates.ts'
import { BOOLEAN_FACTS, DATE_FACTS, ENUM_FACTS, type EnumFact, type Fact } from '../grammar/facts.ts'
import { isPossible } from '../compile/possible.ts'
import { FACT_INDEX, isUnknown, type State, type Test } from '../state.ts'

/** Limit of the combinations tried: a class depends on few facts, and a quote must not wait. */
const MOST = 400

interface Open {
  readonly facts: readonly Fact[]
  readonly candidates: Candidates
}

/** Values of facts, as the state stores them, with which a test has a given truth; null when none were found. */
export function witnessOf(
  test: Test,
  truth: number | null,
  { facts, candidates }: Open,
  state: State,
): [Fact, number][] | null {
  const open = facts.filter((fact) => isUnknown(state.facts[FACT_INDEX[fact]]))
  let tries = 0
  const search = (at: number): boolean => {
    if (test.holds(state) === truth) return true
    const fact = open[at]
    if (fact === undefined || ++tries > MOST) return false
    const slot = FACT_INDEX[fact]
    for (const value of candidatesBeside(candidates, slot, state)) {
      if (!isPossible(slot, value, state)) continue
      state.facts[slot] = value
      if (search(at + 1)) return true
      state.facts[slot] = NaN
    }
    return false
  }
  const found = search(0)
  const values = open.map((fact) => [fact, state.facts[FACT_INDEX[fact]]!] as const)
  for (const fact of open) state.facts[FACT_INDEX[fact]] = NaN
  if (!found) return null
  return values.flatMap(([fact, value]) => (Number.isNaN(value) ? [] : [[fact, value]]))
}

/** The value as a request has it. */
export function written(fact: Fact, value: number): string | number | boolean {
  if (fact in ENUM_FACTS) return ENUM_FACTS[fact as EnumFact][value] ?? ''
  if ((BOOLEAN_FACTS as readonly string[]).includes(fact)) return value === 1
  return (DATE_FACTS as readonly string[]).includes(fact) ? isoOf(value) : value
}
