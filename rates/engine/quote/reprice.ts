import { PricingFault } from '../answer.ts'
import { evaluate } from '../price/evaluate.ts'
import type { Lines } from '../price/outcome.ts'
import type { Fact } from '../grammar/facts.ts'
import { stateOf, type QuoteDefaults } from './inputs.ts'
import type { CompiledComponent, Program } from '../compile/program.ts'
import type { QuoteRequest } from '../request.ts'
import type { Messages, State } from '../state.ts'

/** Lines by component slot, and the messages about them. */
export interface PricedRequest {
  readonly lines: Lines
  readonly messages: Messages
}

/** Other defaults for the same vehicle, and the facts that differ; null when any line may differ. */
export interface OtherTerms {
  readonly defaults: QuoteDefaults
  readonly changed: readonly Fact[] | null
}

/**
 * Whether the same vehicle with other defaults has other figures or cannot be priced; messages are discarded. Only
 * components whose rules read what changed are priced again, up to the first that differs. Until then no line differs,
 * so a component that is computed from other lines finds them unchanged.
 */
export function differsOn(
  { defaults, changed }: OtherTerms,
  priced: PricedRequest,
  request: QuoteRequest,
  program: Program,
): boolean {
  const state = stateOf(request, defaults, program)
  state.trace = null
  state.silent = true
  try {
    return program.order.some((component) => {
      if (changed?.every((fact) => !component.reads().has(fact))) return keep(component, priced, state)
      return differs(component, priced, state)
    })
  } catch (thrown) {
    if (thrown instanceof PricingFault) return true
    throw thrown
  }
}

const unpricedIn = ({ messages }: PricedRequest, name: string) =>
  messages.unpriced.find(({ component }) => component === name)

function differs(component: CompiledComponent, priced: PricedRequest, state: State): boolean {
  const line = evaluate(component, state)
  if (line?.cents !== priced.lines[component.slot]?.cents) return true
  return (state.unpriced[component.slot] === undefined) !== (unpricedIn(priced, component.name) === undefined)
}

/** Keeps the line as it was priced. */
function keep({ name, slot }: CompiledComponent, priced: PricedRequest, state: State): false {
  state.cents[slot] = priced.lines[slot]?.cents ?? 0
  state.unpriced[slot] = unpricedIn(priced, name)
  return false
}
