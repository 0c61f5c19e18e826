import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Answer } from '../../http/operation.ts'
import { asKnown } from '../as-known.ts'
import type { Call, Operation } from '../operation.ts'
import { answerWithReceipt } from '../receipt.ts'
import { price } from '../price.ts'

/** `POST /v1/quote`. */
export const createQuote: Operation = {
  operationId: 'createQuote',
  bodyLimit: 256 * 1024,
  handle: (now) => {
    const request = now.body as QuoteRequest
    const call = asKnown(now, request.options?.asKnownAt, '/body/options/asKnownAt')
    return call instanceof Promise ? call.then((known) => answerTo(request, known)) : answerTo(request, call)
  },
}

function answerTo(request: QuoteRequest, call: Call): Answer | Promise<Answer> {
  const body = answerWithReceipt(request, price(request, call), call)
  return body instanceof Promise ? body.then((signed) => ({ body: signed })) : { body }
}
