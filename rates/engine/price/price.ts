import { evaluate } from './evaluate.ts'
import type { Program } from '../compile/program.ts'
import type { Lines } from './outcome.ts'
import type { State } from '../state.ts'

/** Prices all components of a program, each after those that it needs; by component slot, which is file order. */
export function priceLines(program: Program, state: State): Lines {
  const lines: Lines = program.blank.lines.slice()
  for (const component of program.order) lines[component.slot] = evaluate(component, state)
  return lines
}
