import { refusalOf } from '#rates/answers/refusal.ts'
import { IncompleteQuote, PricingFault, type Quote } from '#rates/engine/answer.ts'
import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { ApiError } from '../errors.ts'
import { checkShowroom } from './check-showroom.ts'
import type { Call } from './operation.ts'

/** Prices one request that is valid by its schema; `at` is its JSON pointer from the body's root. Throws ApiError. */
export function price(request: QuoteRequest, call: Call, at = ''): Quote {
  const { snapshot, decisions } = call
  return answerFor(request, call, at, () => {
    const answer = pricedBy(request, call)
    if (!answer.metadata.complete) call.countUnpriced(answer.metadata.unpriced)
    decisions.note(request, snapshot.release, { quote: answer })
    return answer
  })
}

/** Prices a request; its refusal is a decision too. */
function pricedBy(request: QuoteRequest, { snapshot, decisions }: Call): Quote {
  try {
    return quote(request, snapshot)
  } catch (fault) {
    if (fault instanceof PricingFault) decisions.note(request, snapshot.release, { code: fault.code })
    throw fault
  }
}

/** Returns the result of `compute` once the client is known to be bound to the request's showroom. Throws ApiError. */
export function answerFor<T>(request: QuoteRequest, call: Call, at: string, compute: () => T): T {
  checkShowroom(request.showroomCode, call.client, `/body${at}/showroomCode`)
  try {
    return refusing(`/body${at}`, compute)
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.cause instanceof IncompleteQuote) call.countUnpriced(thrown.cause.unpriced)
    throw thrown
  }
}

/** Returns the result of `compute`; a fault of the request, whose paths begin at `root`, is thrown as ApiError. */
export function refusing<T>(root: string, compute: () => T): T {
  try {
    return compute()
  } catch (thrown) {
    if (!(thrown instanceof PricingFault)) throw thrown
    const { code, message, errors } = refusalOf(thrown, root)
    throw new ApiError(code, message, { cause: thrown, ...(errors && { errors }) })
  }
}
