import type { Context } from 'koa'
import type { Logger } from '#runtime/log.ts'
import { ApiError, type ErrorCode, type FieldError } from '../errors.ts'

/** The body of every error answer, as the contract has it. */
export interface ErrorBody {
  code: ErrorCode
  message: string
  errors?: readonly FieldError[]
}

/** Answers with the contract's error body for whatever was thrown, or with nothing where nobody listens any more. */
export function answerError(ctx: Context, thrown: unknown, log: Logger): void {
  if (hasGone(ctx)) return answerNobody(ctx, log)
  const error = asApiError(thrown)
  if (error.status === 500) log.error({ err: thrown, requestId: ctx.state.requestId }, 'request failed')
  answer(ctx, error)
}

/** Throws ApiError where nothing answered: no such path, or no such method of it. */
export function rejectUnanswered(ctx: Context): void {
  if (ctx.respond === false || (ctx.body !== undefined && ctx.body !== null)) return
  const where = `${ctx.method} ${ctx.path}`
  if (ctx.status === 404)
    throw new ApiError('not_found', `There is no ${ctx.path} here; GET /spec lists what there is.`)
  if (ctx.status === 405) throw new ApiError('method_not_allowed', `${where} is not possible; see the Allow header.`)
  if (ctx.status === 501) throw new ApiError('not_implemented', `The method ${ctx.method} is not known here.`)
}

// Reading the body of a client that has hung up fails with "stream is not readable"; no fault of ours, and nobody to tell.
function hasGone(ctx: Context): boolean {
  return ctx.req.destroyed && !ctx.req.complete
}

function answerNobody(ctx: Context, log: Logger): void {
  log.debug({ requestId: ctx.state.requestId }, 'the client went away')
  ctx.state.aborted = true
  ctx.respond = false
  ctx.res.destroy()
}

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  return fromBodyReader(thrown) ?? new ApiError('error', 'Something failed here; try again.', { cause: thrown })
}

/** Errors of http-errors' shape: a body too large, not JSON, or in a charset or coding that cannot be read. */
function fromBodyReader(thrown: unknown): ApiError | undefined {
  if (!(thrown instanceof Error)) return undefined
  const status = 'status' in thrown ? thrown.status : undefined
  if (status === 413) return new ApiError('payload_too_large', 'The body is too large.', { cause: thrown })
  if (status === 415) {
    return new ApiError('unsupported_media_type', 'The body has a coding that is not supported.', { cause: thrown })
  }
  const reason = unreadable(thrown, status)
  if (reason === undefined) return undefined
  const errors = [{ path: '/body', message: reason, errorCode: 'parse.openapi.validation' }]
  return new ApiError('bad_request', `The body ${reason}.`, { errors, cause: thrown })
}

function unreadable(thrown: Error, status: unknown): string | undefined {
  // A stream of zlib fails with a code such as Z_DATA_ERROR, and koa-body passes it on without a status.
  if ('code' in thrown && String(thrown.code).startsWith('Z_')) return 'is not compressed as its Content-Encoding says'
  if (status !== 400) return undefined
  // Words of the JSON reader in koa-body, which refuses the key __proto__.
  return thrown.message.includes('forbidden prototype') ? 'has a key that is never accepted' : 'is not valid JSON'
}

function answer(ctx: Context, error: ApiError): void {
  ctx.status = error.status
  for (const [name, value] of Object.entries(error.headers)) ctx.set(name, value)
  const body: ErrorBody = { code: error.code, message: error.message }
  if (error.errors) body.errors = error.errors
  ctx.body = body
}
