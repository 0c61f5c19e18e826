import { PricingFault, type Quote } from '#rates/engine/answer.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'

/** Prices a request with a snapshot; undefined where the request is refused. */
export const pricedWith =
  (snapshot: Snapshot) =>
  (request: QuoteRequest): Quote | undefined => {
    try {
      return quote(request, snapshot)
    } catch (error) {
      if (error instanceof PricingFault) return undefined
      throw error
    }
  }
