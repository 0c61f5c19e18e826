import { PricingFault } from './answer.ts'
import { stateOf, type Terms } from './inputs.ts'
import { priceLines } from './price.ts'
import type { Lines, Program } from './program.ts'
import type { QuoteRequest } from './request.ts'
import { say } from './request-notes.ts'
import type { Adjustments, Messages } from './state.ts'

/** Says so where the concession that is claimed leaves every figure as it is without the claim. */
export function sayWithoutEffect(
  request: QuoteRequest,
  terms: Terms,
  program: Program,
  { lines, messages }: { lines: Lines; messages: Messages },
): void {
  const { concession } = terms
  if (concession === null || changes(lines, messages, () => unclaimed(request, terms, program))) return
  const considered = componentsOf(concession, program).join(', ')
  const reason = `The concession ${concession.type} changes no charge of this vehicle; considered: ${considered}.`
  say(messages, { kind: 'ignored', path: '/customer/concession/type', assumed: null, reason })
}

interface Priced {
  lines: Lines
  messages: Messages
}

/** The same vehicle without the claim; null where it is refused without it. */
function unclaimed(request: QuoteRequest, terms: Terms, program: Program): Priced | null {
  const state = stateOf(request, { ...terms, concession: null }, program)
  state.trace = null
  try {
    return { lines: priceLines(program, state), messages: state.messages }
  } catch (thrown) {
    if (thrown instanceof PricingFault) return null
    throw thrown
  }
}

function changes(lines: Lines, { unpriced }: Messages, without: () => Priced | null): boolean {
  const other = without()
  if (other === null || other.messages.unpriced.length !== unpriced.length) return true
  return lines.some((line, slot) => line?.cents !== other.lines[slot]?.cents)
}

/** The components that the concession may change, by themselves or by the basis that they are charged on. */
function componentsOf({ components, bases }: Adjustments, program: Program): string[] {
  const touches = (slot: number | undefined) => slot !== undefined && bases[slot] !== undefined
  const found = program.order.filter(
    ({ slot, rules }) => components[slot] !== undefined || rules.some(({ basis }) => touches(basis?.slot)),
  )
  return found.map(({ name }) => name).sort()
}
