import type { Assumption } from '../answer.ts'
import { conditionOf, emitsNothing, type QuoteRequest, type Vehicle } from '../request.ts'
import type { PricingDay } from './request-checks.ts'
import type { Messages } from '../state.ts'
import { unknownFields } from './unknown-fields.ts'

const GENERIC = 'vehicleGeneric used: make and model default to generic, and make-specific rules cannot apply.'

/** Says what holds of every quote, which day's rates stand in for those of the day asked for, and which fields are ignored. */
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

/** A new vehicle is sold by its dealer, whose sale is taxable: that it bears no GST may be a slip, and says so. */
function saySaleOfNew({ pricingInputs, vehicleGeneric, registration }: QuoteRequest, messages: Messages): void {
  if (pricingInputs.gst !== 'none') return
  if (conditionOf(vehicleGeneric?.condition, registration.type) !== 'new') return
  const reason =
    "pricingInputs.gst is none for a new vehicle: no GST is in the lines of the request; a dealer's sale has GST."
  say(messages, { kind: 'doubted', path: '/pricingInputs/gst', assumed: null, reason })
}

/** So much less, or more, than the price of the vehicle is not a value of the same vehicle in the same unit. */
const SLIP = 20

/** A list price or market value in dollars, not cents, is a hundredth of what it should be, and so is the duty on it: says so. */
function sayMagnitude({ pricingInputs }: QuoteRequest, messages: Messages): void {
  const { dutiable, listPrice, marketValue } = pricingInputs
  if (listPrice === undefined && marketValue === undefined) return
  const price = dutiable.reduce((sum, { value }) => sum + value, 0)
  const doubt = (field: string, value: number, than: string) => {
    const reason = `pricingInputs.${field} ${value} is ${than} the dutiable lines, ${price}: every amount is in cents.`
    say(messages, { kind: 'doubted', path: `/pricingInputs/${field}`, assumed: null, reason })
  }
  for (const [field, value] of Object.entries({ listPrice, marketValue }))
    if (value !== undefined && value > 0 && value * SLIP < price) doubt(field, value, `less than 1/${SLIP} of`)
  // A gift has a market value far above what is paid; a list price is near the price.
  if (listPrice !== undefined && price > 0 && listPrice > price * SLIP)
    doubt('listPrice', listPrice, `over ${SLIP} times`)
}

/** Says which fields change nothing, whatever the price. */
export function sayIgnored(request: QuoteRequest, messages: Messages): void {
  for (const path of unknownFields(request)) sayUnknown(path, 'a quote request', messages)
  if (request.vehicleGeneric) sayEmissions(request.vehicleGeneric, messages)
  const claim = request.customer?.concession
  if (claim?.type === undefined || claim.hasConcession === true) return
  const reason = 'customer.concession.type is ignored: hasConcession is not true.'
  say(messages, { kind: 'ignored', path: '/customer/concession/type', assumed: null, reason })
}

/** What drives by electricity alone emits nothing: what is sent of another engine's emissions, as by a form, changes nothing. */
function sayEmissions({ fuelType, co2GPerKm = 0 }: Vehicle, messages: Messages): void {
  if (co2GPerKm === 0 || !emitsNothing(fuelType)) return
  const reason = `co2GPerKm ${co2GPerKm} is ignored: a vehicle of fuelType ${fuelType} emits no carbon dioxide.`
  say(messages, { kind: 'ignored', path: '/vehicleGeneric/co2GPerKm', assumed: null, reason })
}

/** Says that a field is ignored because nothing of that name belongs to what was sent. */
export function sayUnknown(path: string, of: string, messages: Said): void {
  say(messages, { kind: 'ignored', path, assumed: null, reason: `${path} is not a field of ${of}: ignored.` })
}

type Said = Pick<Messages, 'warnings' | 'assumptions'>

/** The warning is not looked for among those said: nothing else gives one of these. */
export function say({ warnings, assumptions }: Said, assumption: Assumption): void {
  warnings.push(assumption.reason)
  assumptions.push(assumption)
}
