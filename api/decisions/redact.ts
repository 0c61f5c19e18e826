import { CONCESSION, CUSTOMER, INPUTS, POLICY, REGISTRATION, VEHICLE } from '#rates/engine/quote/request-fields.ts'
import type { QuoteRequest, RequestLine } from '#rates/engine/request.ts'

/**
 * What of a request decides its price, and nothing else: no showroom, no description, and no field that the engine does
 * not know. The engine gives the same figures for it.
 */
export function redacted(request: QuoteRequest): QuoteRequest {
  const { pricingCode, purchaseDate, vehicleGeneric, pricingInputs, registration, customer, options } = request
  const { concession } = customer ?? {}
  const { dutiable, additional } = pricingInputs
  const { taxDatePolicy } = request
  const inputs = {
    ...only(pricingInputs, INPUTS),
    dutiable: dutiable.map(withoutText),
    ...(additional && { additional: additional.map(withoutText) }),
  }
  const claim = concession && { concession: only(concession, CONCESSION) }
  return {
    ...only(request, new Set(['lctPreviouslyPaid'])),
    ...{ pricingCode, showroomCode: '', purchaseDate, pricingInputs: inputs },
    registration: only(registration, REGISTRATION),
    ...(vehicleGeneric && { vehicleGeneric: only(vehicleGeneric, VEHICLE) }),
    ...(customer && { customer: { ...only(customer, CUSTOMER), ...claim } }),
    ...(taxDatePolicy && { taxDatePolicy: only(taxDatePolicy, POLICY) }),
    ...(options && { options: only(options, new Set(['incomplete'])) }),
  }
}

const withoutText = ({ kind, value }: RequestLine): RequestLine => ({ description: '', ...(kind && { kind }), value })

/** The fields of an object that are among some names, where they are no objects. */
function only<T extends object>(object: T, names: ReadonlySet<string>): T {
  const found = Object.entries(object).filter(([name, value]) => names.has(name) && typeof value !== 'object')
  return Object.fromEntries(found) as T
}
