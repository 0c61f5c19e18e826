import type { UnpricedComponent } from '../answer.ts'
import { evaluate } from './evaluate.ts'
import { apart } from './assume.ts'
import type { Program } from '../compile/program.ts'
import type { Lines } from './outcome.ts'
import type { RequestLine } from '../request.ts'
import { FACT_INDEX, type State } from '../state.ts'

/**
 * Prices all components of a program, each after those that it needs. The result is indexed by component slot, which is
 * file order.
 */
export function priceLines(program: Program, state: State): Lines {
  const lines: Lines = program.blank.lines.slice()
  for (const component of program.order) lines[component.slot] = evaluate(component, state)
  return lines
}

/**
 * Prices a component as if only these lines were sold. Assumptions about facts that were not sent are reported for this
 * component.
 */
export function priceAlone({ order }: Program, name: string, lines: readonly RequestLine[], state: State): number | UnpricedComponent {
  const own = { ...apart(state), lines, messages: { ...state.messages, unpriced: [] } }
  own.bases.fill(undefined)
  own.facts[FACT_INDEX.dutiable] = lines.reduce((sum, { value }) => sum + value, 0)
  const component = order.find((each) => each.name === name)!
  const line = evaluate(component, own)
  return own.unpriced[component.slot] ?? line?.cents ?? 0
}
