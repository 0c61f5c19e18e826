import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Operation } from '../operation.ts'
import { price } from '../price.ts'
import { answerWithReceipt } from '../receipt.ts'

/** `POST /v1/quote/batch`: the first item that fails fails the batch. */
export const createQuoteBatch: Operation = {
  operationId: 'createQuoteBatch',
  bodyLimit: 1024 * 1024,
  handle: async (call) => {
    const requests = call.body as QuoteRequest[]
    const answers = requests.map((request, index) => price(request, call, `/${index}`))
    const signed = requests.map((request, index) => answerWithReceipt(request, answers[index]!, call, `/${index}`))
    return { body: await Promise.all(signed) }
  },
}
