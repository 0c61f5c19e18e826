import type { UnpricedComponent } from '../answer.ts'
import { compileAmount } from './amount.ts'
import { add, whole, ZERO, type Exact } from '../exact.ts'
import { blameFact } from './fact-tests.ts'
import { MONEY_FACTS, type MoneyFact } from '../grammar/facts.ts'
import { kindOf } from '../request.ts'
import { refuse, type Place } from './scope.ts'
import { FACT_INDEX, isUnknown, type Figure, type State } from '../state.ts'

/** One addend of a sum, in cents. */
export interface Addend extends Figure {
  /** Whether this is a money input that `greatest` and `firstPresent` skip when it was not sent. */
  readonly optional: boolean
}

/**
 * Compiles an amount, a money input, `kind:<line kind>`, `line:<COMPONENT>`, `alone:<COMPONENT>` or `basis:<BASIS>`.
 * Adds the components that the addend reads to `needs`. `minus` lists what the same case subtracts.
 */
export function compileAddend(
  text: string,
  place: Place,
  needs: Set<string>,
  minus: readonly string[] = [],
): Addend {
  if (text.startsWith('kind:')) return kindAddend(text.slice(5))
  if (text.startsWith('line:')) return lineAddend(text.slice(5), place, needs)
  if (text.startsWith('alone:')) return lineAddend(text.slice(6), place, needs, minus)
  if (text.startsWith('basis:')) {
    const basis = place.scope.basisOf(text.slice(6), place)
    for (const component of basis.needs) needs.add(component)
    return { computeAndNote: basis.computeAndNote, blame: basis.blame, optional: false }
  }
  if ((MONEY_FACTS as readonly string[]).includes(text)) return moneyAddend(text as MoneyFact)
  return { computeAndNote: compileAmount(text, place).computeAndNote, blame: () => undefined, optional: false }
}

function moneyAddend(fact: MoneyFact): Addend {
  const slot = FACT_INDEX[fact]
  return {
    optional: true,
    computeAndNote: (state) => {
      const cents = state.facts[slot]!
      return isUnknown(cents) ? null : whole(cents)
    },
    blame: blameFact(fact),
  }
}

function kindAddend(kind: string): Addend {
  return {
    optional: false,
    computeAndNote: (state) => {
      let cents = 0
      for (const line of state.lines) if (kindOf(line) === kind) cents += line.value
      return cents === 0 ? ZERO : whole(cents)
    },
    blame: () => undefined,
  }
}

/** The line of another component, or its amount without the lines of the kinds that `minus` names. */
function lineAddend(component: string, place: Place, needs: Set<string>, minus: readonly string[] = []): Addend {
  const slot = place.scope.slots.components.get(component)
  if (slot === undefined) return refuse(place, `no rule gives a line ${component}`)
  needs.add(component)
  const centsIn = (state: State): number | UnpricedComponent => {
    const lines = state.lines.filter((line) => !minus.includes(`kind:${kindOf(line)}`))
    if (lines.length < state.lines.length) return state.alone(component, lines, state)
    return state.unpriced[slot] ?? state.cents[slot]!
  }
  return {
    optional: false,
    computeAndNote: (state) => {
      const cents = centsIn(state)
      return typeof cents === 'number' ? whole(cents) : null
    },
    blame: (state, unknowns) => {
      const cause = centsIn(state)
      if (typeof cause === 'number') return
      const { because, path } = cause
      unknowns.push({ kind: 'unpriced', text: `it needs ${component}, which is not priced`, because, path })
    },
  }
}

/** The sum of all addends, or null when one of them is unknown. */
export function computeSum(addends: readonly Addend[], state: State): Exact | null {
  let sum: Exact | null = null
  for (const addend of addends) {
    const value = addend.computeAndNote(state)
    if (value === null) return null
    sum = sum === null ? value : add(sum, value)
  }
  return sum ?? ZERO
}

/** Reports each addend that is unknown. */
export function blameAddends(addends: readonly Addend[]): Figure['blame'] {
  return (state, unknowns) => {
    for (const addend of addends) if (addend.computeAndNote(state) === null) addend.blame(state, unknowns)
  }
}
