import { PricingFault, type UnpricedComponent } from '../answer.ts'
import { evaluate } from '../price/evaluate.ts'
import { compare, type Exact } from '../exact.ts'
import { stateOf, totalOf, type QuoteDefaults } from '../quote/inputs.ts'
import { readsLines } from '../compile/depends.ts'
import type { CompiledComponent, Program } from '../compile/program.ts'
import { retractAll } from '../price/assume.ts'
import type { QuoteRequest } from '../request.ts'
import type { CompiledRule } from '../compile/rule.ts'
import { FACT_INDEX, type State } from '../state.ts'
import { createDecisions, type Decisions } from './decisions.ts'
import type { Point } from './target-search.ts'

/** The vehicle with the solved line at one value, in cents. */
export interface Probed extends Point {
  readonly value: number
  /** By component slot: what is due but has no price. */
  readonly unpriced: readonly (UnpricedComponent | undefined)[]
  /** Why the vehicle cannot be priced at this value; the drive-away then excludes the refused lines. */
  readonly fault: PricingFault | null
}

export interface Probe {
  /** Prices the vehicle with the line at this many increments. */
  readonly at: (step: number) => Probed
  /** Edges of a rule on the day, in cents, highest first. */
  readonly edgesOf: (rule: object) => readonly Exact[]
  readonly count: () => number
}

/** Creates a probe that prices a request with one dutiable line at any multiple of `increment` cents. */
export function createProbe(
  request: QuoteRequest,
  solved: { index: number; increment: number },
  defaults: QuoteDefaults,
  program: Program,
): Probe {
  const lines = request.pricingInputs.dutiable.map((line) => ({ ...line }))
  const line = lines[solved.index]!
  const working = { ...request, pricingInputs: { ...request.pricingInputs, dutiable: lines }, options: {} }
  const additional = totalOf(request.pricingInputs.additional ?? [])
  const edges = new Map<object, Exact[]>()
  const asIs = stateOf(working, defaults, program)
  const edgesOf = (rule: object) => {
    const known = edges.get(rule) ?? resolve(rule as CompiledRule, asIs)
    edges.set(rule, known)
    return known
  }
  const priceAt = createPricing(program, createDecisions(edgesOf))
  let count = 0
  return {
    at: (step) => {
      count++
      // Adding 0 turns -0 into 0.
      line.value = step * solved.increment + 0
      const state = again(asIs, program)
      state.facts[FACT_INDEX.dutiable] = totalOf(lines)
      const readings = (state.readings = new Map<object, Exact | null>())
      const fault = priceAt(state)
      const driveAway = totalOf(lines) + additional + sumOf(state.cents)
      return { step, value: line.value, driveAway, cents: state.cents, unpriced: state.unpriced, readings, fault }
    },
    edgesOf,
    count: () => count,
  }
}

/** A new state of the same request; only the lines and their total may differ. */
const again = (state: State, { blank }: Program): State => ({
  ...state,
  facts: state.facts.slice(),
  cents: blank.cents.slice(),
  unpriced: blank.unpriced.slice(),
  bases: blank.bases.slice(),
  silent: true,
  messages: { warnings: [], assumptions: [], unpriced: [] },
})

/** A component whose rules read nothing of the lines: it comes to the same at every value. */
interface Constant {
  readonly cents: number
  readonly unpriced: State['unpriced'][number]
  readonly fault: PricingFault | null
}

/**
 * Prices what can be priced, and returns the first refusal. A refused component counts as zero in amounts computed from
 * it, which gives the least that the vehicle can cost. Components that read nothing of the lines are priced once, and what
 * decides the others is repeated between two edges: deciding is most of the work, and mostly the same at every value.
 */
function createPricing(program: Program, decisions: Decisions): (state: State) => PricingFault | null {
  const changing = new Set<string>()
  const constants = new Map<CompiledComponent, Constant>()
  return (state) => {
    let first: PricingFault | null = null
    const refuse = (fault: PricingFault | null) => void (first ??= fault)
    const alone: State['alone'] = (...asked) => unlessRefused(() => state.alone(...asked), refuse) ?? 0
    const lenient = { ...state, alone }
    for (const component of program.order) {
      const { name, slot } = component
      const known = constants.get(component)
      if (known) {
        refuse(keep(slot, known, state))
        continue
      }
      const fault = priceOne(component, decisions, lenient)
      refuse(fault)
      if (changing.has(name)) continue
      if (readsLines(component, changing)) changing.add(name)
      else constants.set(component, { cents: state.cents[slot]!, unpriced: state.unpriced[slot], fault })
    }
    return first
  }
}

function priceOne(component: CompiledComponent, decisions: Decisions, state: State): PricingFault | null {
  try {
    if (decisions.repeat(component, state)) return null
    state.decided = null
    evaluate(component, state)
    decisions.keep(component, state)
    return null
  } catch (thrown) {
    if (!(thrown instanceof PricingFault)) throw thrown
    return thrown
  } finally {
    retractAll(state)
  }
}

function keep(slot: number, { cents, unpriced, fault }: Constant, state: State): PricingFault | null {
  state.cents[slot] = cents
  state.unpriced[slot] = unpriced
  return fault
}

function unlessRefused<Of>(compute: () => Of, refused: (fault: PricingFault) => void): Of | null {
  try {
    return compute()
  } catch (thrown) {
    if (!(thrown instanceof PricingFault)) throw thrown
    refused(thrown)
    return null
  }
}

const resolve = (rule: CompiledRule, state: State): Exact[] =>
  rule.edges.map(({ computeAndNote: value }) => value(state)).sort((a, b) => compare(b, a))

function sumOf(cents: readonly number[]): number {
  let total = 0
  for (const each of cents) total += each
  return total
}
