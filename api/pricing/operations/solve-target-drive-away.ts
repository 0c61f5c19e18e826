import type { QuoteRequest, Target } from '#rates/engine/request.ts'
import { solveTarget } from '#rates/engine/target/target.ts'
import { asKnown } from '../as-known.ts'
import type { Operation } from '../operation.ts'
import { answerFor } from '../price.ts'
import { answerWithReceipt } from '../receipt.ts'

/** `POST /v1/quote/target-drive-away`. */
export const solveTargetDriveAway: Operation = {
  operationId: 'solveTargetDriveAway',
  bodyLimit: 256 * 1024,
  handle: async (now) => {
    const request = now.body as QuoteRequest & { target: Target }
    const call = await asKnown(now, request.options?.asKnownAt, '/body/options/asKnownAt')
    const body = answerFor(request, call, '', () => solveTarget(request, request.target, call.snapshot))
    const { complete, unpriced } = body.quote.metadata
    if (!complete) call.countUnpriced(unpriced)
    return { body: await answerWithReceipt(request, body, call) }
  },
}
