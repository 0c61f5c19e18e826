import { IncompleteQuote, PricingFault, type Quote } from '#rates/engine/answer.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { ApiError } from '../errors.ts'
import { checkShowroom } from './check-showroom.ts'
import type { Call } from './operation.ts'

/** Prices one request whose schema holds; `at` is its JSON pointer from the body's root. Throws ApiError. */
export function price(request: QuoteRequest, call: Call, at = ''): Quote {
  return answerFor(request, call, at, () => {
    const answer = quote(request, call.snapshot)
    if (!answer.metadata.complete) call.countUnpriced(answer.metadata.unpriced)
    return answer
  })
}

/** What `compute` gives, once the client is found to be bound to the request's showroom. Throws ApiError. */
export function answerFor<T>(request: QuoteRequest, call: Call, at: string, compute: () => T): T {
  checkShowroom(request.showroomCode, call.client, `/body${at}/showroomCode`)
  try {
    return compute()
  } catch (thrown) {
    if (thrown instanceof IncompleteQuote) call.countUnpriced(thrown.unpriced)
    if (thrown instanceof PricingFault) throw asApiError(thrown, at)
    throw thrown
  }
}

function asApiError(fault: PricingFault, at: string): ApiError {
  const errors = fault.parts.map((part) => ({ ...part, path: `/body${at}${part.path}`, errorCode: fault.code }))
  return new ApiError(fault.code, fault.message, { errors, cause: fault })
}
