import type { QuoteRequest } from '#rates/engine/request.ts'
import { asKnown } from '../as-known.ts'
import type { Call, Operation } from '../operation.ts'
import { price } from '../price.ts'
import { answerWithReceipt } from '../receipt.ts'

/** `POST /v1/quote/batch`: the first item that fails fails the batch. */
export const createQuoteBatch: Operation = {
  operationId: 'createQuoteBatch',
  bodyLimit: 1024 * 1024,
  handle: async (now) => {
    const requests = now.body as QuoteRequest[]
    // In order, so that the first item that names an unknown release is the one that is refused.
    const calls: Call[] = []
    for (const [index, { options }] of requests.entries()) {
      const call = asKnown(now, options?.asKnownAt, `/body/${index}/options/asKnownAt`)
      calls.push(call instanceof Promise ? await call : call)
    }
    const answers = requests.map((request, index) => price(request, calls[index]!, `/${index}`))
    const signed = requests.map((request, index) =>
      answerWithReceipt(request, answers[index]!, calls[index]!, `/${index}`),
    )
    return { body: signed.some((each) => each instanceof Promise) ? await Promise.all(signed) : signed }
  },
}
