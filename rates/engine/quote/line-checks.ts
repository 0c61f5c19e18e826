import { PricingFault } from '../answer.ts'
import { totalOf } from './inputs.ts'
import type { QuoteRequest, RequestLine } from '../request.ts'

/** Throws bad_request when a discount is positive. */
export function checkLines({ pricingInputs: { dutiable, additional } }: QuoteRequest): void {
  checkDiscounts(dutiable, 'dutiable')
  if (additional) checkDiscounts(additional, 'additional')
}

function checkDiscounts(lines: readonly RequestLine[], name: string): void {
  for (let index = 0; index < lines.length; index++) {
    const { kind, value } = lines[index]!
    if (kind !== 'discount' || value <= 0) continue
    const message = `A line of kind discount lowers the price: its value must be at most 0, not ${value}.`
    throw new PricingFault('bad_request', `/pricingInputs/${name}/${index}/value`, message)
  }
}

/**
 * Throws bad_request when the dutiable lines sum to less than zero, or when the additional lines deduct more than the
 * price.
 */
export function checkTotal({ pricingInputs: { dutiable, additional } }: QuoteRequest): void {
  const total = totalOf(dutiable)
  if (total < 0) {
    const message = `The dutiable lines must total at least 0 cents; they total ${total}.`
    throw new PricingFault('bad_request', '/pricingInputs/dutiable', message)
  }
  if (!additional || total + totalOf(additional) >= 0) return
  const message = `The additional lines total ${totalOf(additional)} cents and take off more than the dutiable lines, which total ${total}.`
  throw new PricingFault('bad_request', '/pricingInputs/additional', message)
}
