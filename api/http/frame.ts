import type { Context, Middleware } from 'koa'
import type { Logger } from '#runtime/log.ts'
import type { Tracing } from '#runtime/tracing/trace.ts'
import type { Audit } from './audit.ts'
import { compressAnswer } from './compress.ts'
import { createDeadline } from './deadline.ts'
import { answerError, rejectUnanswered } from './error-answers.ts'
import type { Measured } from './measure.ts'
import { giveRequestId } from './request-id.ts'
import { endTrace, traceRequest } from './trace-request.ts'

/** What every application of ours does around its routes. */
export interface AppServices {
  log: Logger
  /** Made once for all applications of the process. */
  measured: Measured
  /** Made once for all applications of the process. */
  audit: Audit
  /** Undefined: nothing is traced. */
  tracing?: Tracing | undefined
  /** Proxies before us that add to X-Forwarded-For; 0: the address of a caller is that of its connection. */
  proxyHops?: number
}

/** Milliseconds in which the rest of a body may come that was refused before its end; then its connection is cut. */
const REST_MS = 5_000

/**
 * Gives each answer a request id, answers every error with the contract's body, notes each refusal and each failure in the
 * log, measures, and traces where that is asked for: one layer, for each costs.
 */
export function frame({ log, measured, audit, tracing }: AppServices): Middleware {
  const rest = createDeadline(REST_MS)
  return async (ctx, next) => {
    const start = performance.now()
    giveRequestId(ctx)
    const trace = tracing && traceRequest(tracing, ctx)
    try {
      await next()
      rejectUnanswered(ctx)
      if (ctx.req.headers['accept-encoding'] !== undefined) await compressAnswer(ctx)
    } catch (thrown) {
      const error = answerError(ctx, thrown, log)
      if (error) audit.refused(ctx, error)
    }
    const ms = performance.now() - start
    measured(ctx, ms)
    audit.answered?.(ctx, ms)
    if (trace) endTrace(trace, ctx)
    if (!ctx.req.complete) rest.add(() => cut(ctx))
  }
}

/** Ends a connection whose caller still sends a body that was answered long ago. */
function cut({ req }: Context): void {
  if (!req.complete) req.socket.destroy()
}
