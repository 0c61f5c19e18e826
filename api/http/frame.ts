import type { Context, Middleware } from 'koa'
import type { Logger } from '#runtime/log.ts'
import type { Tracing } from '#runtime/tracing/trace.ts'
import type { Audit } from './audit.ts'
import { compressAnswer } from './compress.ts'
import { createDeadline } from './deadline.ts'
import { answerError, rejectUnanswered } from './error-answers.ts'
import type { Measured } from './measure.ts'
import { dropInTurns, isLarge, turnToBegin } from './reading-turns.ts'
import { requestIdOf } from './request-id.ts'
import { endTrace, traceRequest } from './trace-request.ts'

/** The services that every application uses around its routes. */
export interface AppServices {
  log: Logger
  /** One for all applications of the process. */
  measured: Measured
  /** One for all applications of the process. */
  audit: Audit
  /** Undefined: nothing is traced. */
  tracing?: Tracing | undefined
  /**
   * Number of proxies in front of the server that append to X-Forwarded-For; 0: the caller's address is that of its
   * connection.
   */
  proxyHops?: number
}

/** After a body was refused early, milliseconds for the rest of it to arrive before the connection is closed. */
const REST_MS = 5_000

/**
 * Gives each answer a request id, answers every error with the contract's body, logs refusals and failures, measures,
 * and traces where tracing is on. All in one layer, because each layer costs time.
 */
export function frame({ log, measured, audit, tracing }: AppServices): Middleware {
  const rest = createDeadline(REST_MS)
  return async (ctx, next) => {
    const start = performance.now()
    const requestId = requestIdOf(ctx.req)
    ctx.state.requestId = requestId
    const trace = tracing && traceRequest(tracing, ctx)
    try {
      if (isLarge(ctx.req)) await turnToBegin()
      await next()
      rejectUnanswered(ctx)
      if (ctx.req.headers['accept-encoding'] !== undefined) await compressAnswer(ctx)
    } catch (thrown) {
      const error = answerError(ctx, thrown, log)
      if (error) audit.refused(ctx, error)
    }
    // An operation that writes its answer itself writes the id with it.
    if (ctx.respond !== false) ctx.res.setHeader('x-request-id', requestId)
    const ms = performance.now() - start
    measured(ctx, ms)
    audit.answered?.(ctx, ms)
    if (trace) endTrace(trace, ctx)
    if (ctx.req.complete) return
    dropInTurns(ctx.req)
    rest.add(() => cut(ctx))
  }
}

/** Closes a connection whose caller still sends a body that was answered long ago. */
function cut({ req }: Context): void {
  if (!req.complete) req.socket.destroy()
}
