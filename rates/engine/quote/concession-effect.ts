import type { Program } from '../compile/program.ts'
import { isoOf } from '../dates.ts'
import { stateOf, type QuoteDefaults } from './inputs.ts'
import { differsOn, type PricedRequest } from './reprice.ts'
import type { QuoteRequest } from '../request.ts'
import { claimOf } from './request-checks.ts'
import { say } from './request-notes.ts'
import { FALSE, type Adjust, type Adjustments, type Messages, type State } from '../state.ts'

/** Warns when the claimed concession ended before the requested day. */
export function sayEnded(request: QuoteRequest, program: Program, messages: Messages): void {
  const claimed = claimOf(request, program)
  if (!claimed || claimed.last === null) return
  const { startDate } = request.registration
  const reason = `The concession ${claimed.type} ended on ${isoOf(claimed.last)}: it is not applied on ${startDate}.`
  say(messages, { kind: 'ignored', path: '/customer/concession/type', assumed: null, reason })
}

/** Warns when the claimed concession changes no figure. */
export function sayWithoutEffect(
  request: QuoteRequest,
  defaults: QuoteDefaults,
  program: Program,
  priced: PricedRequest,
): void {
  const { concession } = defaults
  const unclaimed = { defaults: { ...defaults, concession: null }, changed: null }
  if (concession === null || differsOn(unclaimed, priced, request, program)) return
  const considered = componentsOf(concession, program)
  const open = openOf(concession, stateOf(request, defaults, program), program, priced)
  const have = open.length === 1 ? 'has' : 'have'
  const reason =
    open.length > 0
      ? `It is not known whether the concession ${concession.type} changes a charge of this vehicle: ${open.join(', ')} ${have} no price.`
      : `The concession ${concession.type} changes no charge of this quote; considered: ${considered.join(', ')}.`
  say(priced.messages, { kind: 'ignored', path: '/customer/concession/type', assumed: null, reason })
}

/**
 * The components without a price that the concession may change, given what is known of the vehicle and its owner:
 * neither the charge nor the amount that the concession takes off is known.
 */
function openOf(
  { components, bases }: Adjustments,
  state: State,
  program: Program,
  { messages }: PricedRequest,
): string[] {
  const mayApply = ({ from, to, when }: Adjust) =>
    state.day >= from && state.day <= to && (when === null || when.holds(state) !== FALSE)
  const may = (adjustments: readonly Adjust[] | undefined) => adjustments?.some(mayApply) === true
  const found = program.order.filter(
    ({ name, slot, rules }) =>
      messages.unpriced.some(({ component }) => component === name) &&
      (may(components[slot]) || rules.some(({ basis }) => basis && may(bases[basis.slot]))),
  )
  return found.map(({ name }) => name).sort()
}

/** The components that the concession may change, directly or through their basis. */
function componentsOf({ components, bases }: Adjustments, program: Program): string[] {
  const touches = (slot: number | undefined) => slot !== undefined && bases[slot] !== undefined
  const found = program.order.filter(
    ({ slot, rules }) => components[slot] !== undefined || rules.some(({ basis }) => touches(basis?.slot)),
  )
  return found.map(({ name }) => name).sort()
}
