import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Operation } from '../operation.ts'
import { answerWithReceipt } from '../receipt.ts'
import { price } from '../price.ts'

/** `POST /v1/quote`. */
export const createQuote: Operation = {
  operationId: 'createQuote',
  bodyLimit: 256 * 1024,
  handle: async (call) => {
    const request = call.body as QuoteRequest
    return { body: await answerWithReceipt(request, price(request, call), call) }
  },
}
