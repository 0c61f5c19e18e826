import type { QuoteRequest } from '#rates/engine/request.ts'
import { asKnown } from '../as-known.ts'
import type { Operation } from '../operation.ts'
import { answerWithReceipt } from '../receipt.ts'
import { price } from '../price.ts'

/** `POST /v1/quote`. */
export const createQuote: Operation = {
  operationId: 'createQuote',
  bodyLimit: 256 * 1024,
  handle: async (now) => {
    const request = now.body as QuoteRequest
    const call = await asKnown(now, request.options?.asKnownAt, '/body/options/asKnownAt')
    return { body: await answerWithReceipt(request, price(request, call), call) }
  },
}
