import type { Context } from 'koa'
import type { Logger } from '#runtime/log.ts'
import { clipRefusal, type Refusal } from '#rates/answers/refusal.ts'
import { ApiError, type ErrorCode } from '../errors.ts'

/** The body of every error answer, as the contract has it. */
export type ErrorBody = Refusal<ErrorCode>

/** Answers with the contract's error body for whatever was thrown, or not at all when the client has disconnected. */
export function answerError(ctx: Context, thrown: unknown, log: Logger): ApiError | undefined {
  if (hasGone(ctx)) return answerNobody(ctx, log)
  const error = asApiError(thrown)
  ctx.status = error.status
  for (const [name, value] of Object.entries(error.headers)) ctx.set(name, value)
  ctx.body = bodyOf(error)
  return error
}

/** Throws ApiError when no route answered: an unknown path, or a method that the path does not have. */
export function rejectUnanswered(ctx: Context): void {
  if (ctx.respond === false || (ctx.body !== undefined && ctx.body !== null)) return
  const where = `${ctx.method} ${ctx.path}`
  if (ctx.status === 404) throw new ApiError('not_found', `There is no ${ctx.path} here; GET / lists where to begin.`)
  if (ctx.status === 405)
    throw new ApiError('method_not_allowed', `${where} is not allowed; the Allow header lists the methods.`)
  if (ctx.status === 501) throw new ApiError('not_implemented', `The method ${ctx.method} is not supported.`)
}

// Reading the body of a disconnected client fails with "stream is not readable"; this is no internal error, and nobody
// can be answered.
function hasGone({ req, res }: Context): boolean {
  return (req.destroyed && !req.complete) || (res.closed && !res.writableEnded)
}

function answerNobody(ctx: Context, log: Logger): undefined {
  log.debug({ requestId: ctx.state.requestId }, 'the client closed the connection')
  ctx.state.aborted = true
  ctx.respond = false
  ctx.res.destroy()
}

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  // Refusals by Koa and its router have the shape of http-errors.
  const status = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : 500
  if (status >= 400 && status < 500) {
    return new ApiError('bad_request', 'The request cannot be read.', { cause: thrown })
  }
  return new ApiError('error', 'The server could not answer; try again.', { cause: thrown })
}

const bodyOf = ({ code, message, errors }: ApiError): ErrorBody =>
  clipRefusal({ code, message, ...(errors && { errors }) })
