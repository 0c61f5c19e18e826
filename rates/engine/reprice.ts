import { PricingFault } from './answer.ts'
import { stateOf, type Terms } from './inputs.ts'
import { priceLines } from './price.ts'
import type { Lines, Program } from './program.ts'
import type { QuoteRequest } from './request.ts'
import type { Messages } from './state.ts'

/** Lines by component slot, and what was said of them. */
export interface Priced {
  readonly lines: Lines
  readonly messages: Messages
}

/** Whether the same vehicle on other terms comes to other figures, or cannot be priced; says nothing. */
export function differsOn(terms: Terms, { lines, messages }: Priced, request: QuoteRequest, program: Program): boolean {
  const other = priceOn(terms, request, program)
  if (other === null || other.messages.unpriced.length !== messages.unpriced.length) return true
  if (lines.some((line, slot) => line?.cents !== other.lines[slot]?.cents)) return true
  return other.messages.unpriced.some(({ component }, at) => component !== messages.unpriced[at]?.component)
}

function priceOn(terms: Terms, request: QuoteRequest, program: Program): Priced | null {
  const state = stateOf(request, terms, program)
  state.trace = null
  state.silent = true
  try {
    return { lines: priceLines(program, state), messages: state.messages }
  } catch (thrown) {
    if (thrown instanceof PricingFault) return null
    throw thrown
  }
}
