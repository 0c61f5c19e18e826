import { PricingFault } from '../answer.ts'
import { evaluate } from '../price/evaluate.ts'
import { compare, type Exact } from '../exact.ts'
import { stateOf, totalOf, type QuoteDefaults } from '../quote/inputs.ts'
import type { Program } from '../compile/program.ts'
import { retractAll } from '../price/assume.ts'
import type { QuoteRequest } from '../request.ts'
import type { CompiledRule } from '../compile/rule.ts'
import type { State } from '../state.ts'
import type { Point } from './target-search.ts'

/** The vehicle with the solved line at one value, in cents. */
export interface Probed extends Point {
  readonly value: number
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
  let count = 0
  return {
    at: (step) => {
      count++
      // Adding 0 turns -0 into 0.
      line.value = step * solved.increment + 0
      const state = stateOf(working, defaults, program)
      state.silent = true
      const readings = (state.readings = new Map<object, Exact | null>())
      const fault = price(program, state)
      const driveAway = totalOf(lines) + additional + sumOf(state.cents)
      return { step, value: line.value, driveAway, cents: state.cents, readings, fault }
    },
    edgesOf: (rule) => {
      const known = edges.get(rule) ?? resolve(rule as CompiledRule, asIs)
      edges.set(rule, known)
      return known
    },
    count: () => count,
  }
}

/**
 * Prices what can be priced, and returns the first refusal. A refused component counts as zero in amounts computed from
 * it, which gives the least that the vehicle can cost.
 */
function price(program: Program, state: State): PricingFault | null {
  let first: PricingFault | null = null
  const unlessRefused = <Of>(compute: () => Of): Of | null => {
    try {
      return compute()
    } catch (thrown) {
      if (!(thrown instanceof PricingFault)) throw thrown
      first ??= thrown
      return null
    }
  }
  const alone: State['alone'] = (...asked) => unlessRefused(() => state.alone(...asked)) ?? 0
  const lenient = { ...state, alone }
  for (const component of program.order) {
    unlessRefused(() => evaluate(component, lenient))
    retractAll(lenient)
  }
  return first
}

const resolve = (rule: CompiledRule, state: State): Exact[] =>
  rule.edges.map(({ computeAndNote: value }) => value(state)).sort((a, b) => compare(b, a))

function sumOf(cents: readonly number[]): number {
  let total = 0
  for (const each of cents) total += each
  return total
}
