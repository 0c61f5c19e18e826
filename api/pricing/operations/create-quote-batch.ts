import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Operation } from '../operation.ts'
import { price } from '../price.ts'

/** `POST /v1/quote/batch`: the first item that fails fails the batch. */
export const createQuoteBatch: Operation = {
  operationId: 'createQuoteBatch',
  bodyLimit: 1024 * 1024,
  handle: (call) => ({
    body: (call.body as QuoteRequest[]).map((request, index) => price(request, call, `/${index}`)),
  }),
}
