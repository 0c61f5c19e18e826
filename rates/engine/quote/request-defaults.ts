import type { QuoteDefaults } from './inputs.ts'
import { covers } from '../dates.ts'
import type { Program } from '../compile/program.ts'
import { differsOn, type OtherTerms, type PricedRequest } from './reprice.ts'
import type { QuoteRequest } from '../request.ts'
import type { PricingDay } from './request-checks.ts'
import { say } from './request-notes.ts'
import { canBeUsed } from './vehicle-checks.ts'

/** Reports the interface's defaults for fields that were not sent, when another value would give other figures. */
export function sayDefaults(
  request: QuoteRequest,
  defaults: QuoteDefaults,
  pricingDay: PricingDay,
  priced: PricedRequest,
): void {
  sayCondition(request, defaults, pricingDay.year.program, priced)
  sayType(request, defaults, pricingDay, priced)
  sayTerm(request, defaults, pricingDay, priced)
}

function sayCondition(request: QuoteRequest, defaults: QuoteDefaults, program: Program, priced: PricedRequest): void {
  // A transferred vehicle is used; a transfer of a new vehicle is refused.
  if (request.vehicleGeneric?.condition !== undefined || request.registration.type === 'transfer') return
  const used: OtherTerms = { defaults: { ...defaults, condition: 'used' }, changed: ['condition'] }
  if (!canBeUsed(request) || !differsOn(used, priced, request, program)) return
  const reason = 'condition not sent: the vehicle is taken as new.'
  say(priced.messages, { kind: 'default', path: '/vehicleGeneric/condition', assumed: 'new', reason })
}

function sayType(
  request: QuoteRequest,
  defaults: QuoteDefaults,
  { year, date }: PricingDay,
  priced: PricedRequest,
): void {
  const { registration, vehicleGeneric } = request
  if (registration.type !== undefined || vehicleGeneric?.condition === 'new') return
  if (vehicleGeneric?.previouslyRegistered === false) return
  const isOffered = (type: string) => year.registrationTypes.some((one) => one.type === type && covers(one, date))
  // A transfer is always of a used vehicle.
  const transfer: OtherTerms = {
    defaults: { ...defaults, registrationType: 'transfer', condition: 'used' },
    changed: ['registrationType', 'condition'],
  }
  if (!isOffered('transfer') || !canBeUsed(request)) return
  if (!differsOn(transfer, priced, request, year.program)) return
  const reason = 'registration.type not sent: the vehicle is registered anew, not transferred.'
  say(priced.messages, { kind: 'default', path: '/registration/type', assumed: 'new', reason })
}

function sayTerm(request: QuoteRequest, defaults: QuoteDefaults, { year }: PricingDay, priced: PricedRequest): void {
  if (request.registration.termMonths !== undefined) return
  const { termMonths } = defaults
  const others = year.terms.filter((months) => months !== termMonths)
  const on = (months: number): OtherTerms => ({
    defaults: { ...defaults, termMonths: months },
    changed: ['termMonths'],
  })
  if (!others.some((months) => differsOn(on(months), priced, request, year.program))) return
  const reason = `registration.termMonths not sent: ${termMonths} months are taken.`
  say(priced.messages, { kind: 'default', path: '/registration/termMonths', assumed: termMonths, reason })
}
