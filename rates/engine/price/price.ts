import { evaluate } from './evaluate.ts'
import { apart } from './assume.ts'
import type { Program } from '../compile/program.ts'
import type { Lines } from './outcome.ts'
import type { RequestLine } from '../request.ts'
import { FACT_INDEX, type State } from '../state.ts'

/** Prices all components of a program, each after those that it needs; by component slot, which is file order. */
export function priceLines(program: Program, state: State): Lines {
  const lines: Lines = program.blank.lines.slice()
  for (const component of program.order) lines[component.slot] = evaluate(component, state)
  return lines
}

/** Cents of a component if only these lines were sold; what is taken for a fact that was not sent is said as of the component. */
export function centsAlone({ order }: Program, name: string, lines: readonly RequestLine[], state: State): number {
  const own = { ...apart(state), lines, messages: { ...state.messages, unpriced: [] } }
  own.bases.fill(undefined)
  own.facts[FACT_INDEX.dutiable] = lines.reduce((sum, { value }) => sum + value, 0)
  return evaluate(order.find((component) => component.name === name)!, own)?.cents ?? 0
}
