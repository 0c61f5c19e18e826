import type { Assumption } from '../answer.ts'
import { conditionOf, emitsNothing, type QuoteRequest, type Vehicle } from '../request.ts'
import { totalOf } from './inputs.ts'
import type { PricingDay } from './request-checks.ts'
import type { Messages } from '../state.ts'
import { unknownFields } from './unknown-fields.ts'

const GENERIC = 'vehicleGeneric used: make and model default to generic, and make-specific rules cannot apply.'

/**
 * Adds the warnings that apply to every quote, which day's rates replace those of the requested day, and which fields
 * are ignored.
 */
export function sayOfRequest(request: QuoteRequest, pricingDay: PricingDay, messages: Messages): void {
  say(messages, { kind: 'default', path: '/vehicleGeneric', assumed: null, reason: GENERIC })
  if (pricingDay.substituted) {
    const { date } = pricingDay
    const reason = `No rates are published for ${request.registration.startDate}: prior-year fallback, priced as on ${date}.`
    say(messages, { kind: 'assumed', path: '/registration/startDate', assumed: date, reason })
  }
  saySaleOfNew(request, messages)
  sayMagnitude(request, messages)
  sayIgnored(request, messages)
}

/** Doubts a new vehicle whose sale bears no GST: a dealer sells new vehicles, and a dealer's sale is taxable. */
function saySaleOfNew({ pricingInputs, vehicleGeneric, registration }: QuoteRequest, messages: Messages): void {
  if (pricingInputs.gst !== 'none') return
  if (conditionOf(vehicleGeneric?.condition, registration.type) !== 'new') return
  const reason =
    "pricingInputs.gst is none for a new vehicle: no GST is in the lines of the request; a dealer's sale has GST."
  say(messages, { kind: 'doubted', path: '/pricingInputs/gst', assumed: null, reason })
}

/** A value this many times smaller or larger than the price is probably in another unit, or of another vehicle. */
const SLIP = 20

/**
 * Doubts a list price or market value that may have been sent in dollars instead of cents: value and duty would be a
 * hundredth of the right figure.
 */
function sayMagnitude({ pricingInputs }: QuoteRequest, messages: Messages): void {
  const { dutiable, listPrice, marketValue } = pricingInputs
  if (listPrice === undefined && marketValue === undefined) return
  const price = totalOf(dutiable)
  const doubt = (field: string, value: number, than: string) => {
    const reason = `pricingInputs.${field} ${value} is ${than} the dutiable lines, ${price}: every amount is in cents.`
    say(messages, { kind: 'doubted', path: `/pricingInputs/${field}`, assumed: null, reason })
  }
  const isSmall = (value: number | undefined): value is number =>
    value !== undefined && value > 0 && value * SLIP < price
  if (isSmall(listPrice)) doubt('listPrice', listPrice, `less than 1/${SLIP} of`)
  if (isSmall(marketValue)) doubt('marketValue', marketValue, `less than 1/${SLIP} of`)
  // Only the list price is close to the price; the market value of a gift is far above the price paid.
  if (listPrice !== undefined && price > 0 && listPrice > price * SLIP)
    doubt('listPrice', listPrice, `over ${SLIP} times`)
}

/** Names the fields that change nothing, whatever the price. */
export function sayIgnored(request: QuoteRequest, messages: Messages): void {
  for (const path of unknownFields(request)) sayUnknown(path, 'a quote request', messages)
  if (request.vehicleGeneric) sayEmissions(request.vehicleGeneric, messages)
  const claim = request.customer?.concession
  if (claim?.type === undefined || claim.hasConcession === true) return
  const reason = 'customer.concession.type is ignored: hasConcession is not true.'
  say(messages, { kind: 'ignored', path: '/customer/concession/type', assumed: null, reason })
}

/**
 * Names emissions that were sent for an electric vehicle, as a form may do: such a vehicle emits nothing, so they
 * change nothing.
 */
function sayEmissions({ fuelType, co2GPerKm = 0 }: Vehicle, messages: Messages): void {
  if (co2GPerKm === 0 || !emitsNothing(fuelType)) return
  const reason = `co2GPerKm ${co2GPerKm} is ignored: a vehicle of fuelType ${fuelType} emits no carbon dioxide.`
  say(messages, { kind: 'ignored', path: '/vehicleGeneric/co2GPerKm', assumed: null, reason })
}

/** Reports that a field is ignored because its name is unknown in that object. */
export function sayUnknown(path: string, of: string, messages: Said): void {
  say(messages, { kind: 'ignored', path, assumed: null, reason: `${path} is not a field of ${of}: ignored.` })
}

type Said = Pick<Messages, 'warnings' | 'assumptions'>

/** Adds a warning with its assumption. No search for duplicates: nothing else adds these warnings. */
export function say({ warnings, assumptions }: Said, assumption: Assumption): void {
  warnings.push(assumption.reason)
  assumptions.push(assumption)
}
