import type { Quote } from './answer.ts'
import type { QuoteRequest } from './request.ts'
import type { Snapshot } from './snapshot.ts'

/** Prices one request with one snapshot; throws PricingFault. */
export function quote(_request: QuoteRequest, _snapshot: Snapshot): Quote {
  throw new Error('no request can be priced yet')
}
