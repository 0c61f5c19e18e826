import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Operation } from '../operation.ts'
import { price } from '../price.ts'

/** `POST /v1/quote`. */
export const createQuote: Operation = {
  operationId: 'createQuote',
  bodyLimit: 256 * 1024,
  handle: (call) => ({ body: price(call.body as QuoteRequest, call) }),
}
