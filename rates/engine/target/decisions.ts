import type { CompiledComponent } from '../compile/program.ts'
import type { CompiledCase, CompiledRule } from '../compile/rule.ts'
import { compare, type Exact } from '../exact.ts'
import { MONEY_FACTS } from '../grammar/facts.ts'
import { retractAll } from '../price/assume.ts'
import { evaluateCase } from '../price/evaluate.ts'
import { computeUnnoted } from '../price/readings.ts'
import { FACT_INDEX, type Decided, type State } from '../state.ts'

/** What decides a component between two edges of its rule. */
interface Decision extends Decided {
  readonly at: CompiledCase
}

/** The decisions of one rule, by the number of its edges that are not below the basis. */
interface OfRule {
  readonly rule: CompiledRule
  readonly byPlace: Map<number, Decision>
  last: Decision
}

/** What was decided about the components of one vehicle, to be repeated with other lines. */
export interface Decisions {
  /** Prices the component as before; false when nothing is known for the basis at these lines. */
  readonly repeat: (component: CompiledComponent, state: State) => boolean
  /** Keeps what has just decided the component. */
  readonly keep: (component: CompiledComponent, state: State) => void
}

/**
 * Decisions that are repeated at other values of the lines. Conditions read the lines only through the basis of their
 * rule; so where the basis lies between the same two edges, the same case applies and the same facts are assumed.
 */
export function createDecisions(edgesOf: (rule: CompiledRule) => readonly Exact[]): Decisions {
  const known = new Map<CompiledComponent, OfRule>()
  /** The place of the basis among the edges, with what a decision assumes; undefined without a basis that is known. */
  const placeIn = (rule: CompiledRule, decision: Decision, state: State) => {
    assumeAgain(decision, state)
    return rule.basis && rule.edges.length > 0 ? placeOf(computeUnnoted(rule.basis, state), edgesOf(rule)) : 0
  }
  return {
    repeat: (component, state) => {
      const own = known.get(component)
      if (own === undefined) return false
      const { rule, byPlace } = own
      const decision = byPlace.get(placeIn(rule, own.last, state) ?? NaN)
      if (decision !== undefined && decision !== own.last) {
        // Another decision may assume other values: the basis must lie at its place with these, too.
        if (byPlace.get(placeIn(rule, decision, state) ?? NaN) !== decision) return retracted(state)
        own.last = decision
      }
      if (decision && evaluateCase(component, { rule, at: decision.at }, state)) return true
      return retracted(state)
    },
    keep: (component, state) => {
      const decision = state.decided as Decision | null
      if (decision === null || !isRepeatable(component, decision, state)) return
      const rule = decision.rule as CompiledRule
      const own = known.get(component) ?? { rule, byPlace: new Map<number, Decision>(), last: decision }
      const place = rule.edges.length > 0 ? placeOf(state.readings?.get(rule) ?? null, edgesOf(rule)) : 0
      if (own.rule !== rule || place === undefined) return
      known.set(component, own)
      own.byPlace.set(place, decision)
    },
  }
}

function retracted(state: State): false {
  retractAll(state)
  return false
}

function assumeAgain({ overlay, facts }: Decided, state: State): void {
  retractAll(state)
  if (overlay === null) return
  state.overlay = { ...overlay, bases: new Map() }
  for (const [slot, value] of facts) state.facts[slot] = value
}

/** How many of the edges, highest first, are not below the amount. */
function placeOf(amount: Exact | null, edges: readonly Exact[]): number | undefined {
  if (amount === null) return undefined
  let place = 0
  while (place < edges.length && compare(amount, edges[place]!) <= 0) place++
  return place
}

const MONEY: ReadonlySet<number> = new Set(MONEY_FACTS.map((fact) => FACT_INDEX[fact]))

/**
 * Whether a decision holds between two edges of its rule. An earlier rule with edges could take the component over, an
 * assumed amount of money changes what a basis prefers, and the conditions of a concession assume values of their own.
 */
function isRepeatable({ rules, slot }: CompiledComponent, { rule, facts }: Decided, state: State): boolean {
  const earlier = rules.slice(0, rules.indexOf(rule as CompiledRule))
  return (
    earlier.every(({ edges }) => edges.length === 0) &&
    !facts.some(([fact]) => MONEY.has(fact)) &&
    state.concession?.components[slot] === undefined
  )
}
