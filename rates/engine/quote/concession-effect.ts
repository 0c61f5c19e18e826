import type { QuoteDefaults } from './inputs.ts'
import type { Program } from '../compile/program.ts'
import { differsOn, type Priced } from './reprice.ts'
import type { QuoteRequest } from '../request.ts'
import { say } from './request-notes.ts'
import type { Adjustments } from '../state.ts'

/** Says so where the concession that is claimed leaves every figure as it is without the claim. */
export function sayWithoutEffect(request: QuoteRequest, defaults: QuoteDefaults, program: Program, priced: Priced): void {
  const { concession } = defaults
  const unclaimed = { defaults: { ...defaults, concession: null }, changed: null }
  if (concession === null || differsOn(unclaimed, priced, request, program)) return
  const considered = componentsOf(concession, program).join(', ')
  const reason = `The concession ${concession.type} changes no charge of this vehicle; considered: ${considered}.`
  say(priced.messages, { kind: 'ignored', path: '/customer/concession/type', assumed: null, reason })
}

/** The components that the concession may change, by themselves or by the basis that they are charged on. */
function componentsOf({ components, bases }: Adjustments, program: Program): string[] {
  const touches = (slot: number | undefined) => slot !== undefined && bases[slot] !== undefined
  const found = program.order.filter(
    ({ slot, rules }) => components[slot] !== undefined || rules.some(({ basis }) => touches(basis?.slot)),
  )
  return found.map(({ name }) => name).sort()
}
