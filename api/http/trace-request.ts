import type { Context } from 'koa'
import type { Trace, Tracing } from '#runtime/tracing/trace.ts'

/** Starts the trace of a request, or continues the caller's, and stores it for operations and the audit log. */
export function traceRequest(tracing: Tracing, ctx: Context): Trace {
  const { method, headers } = ctx.req
  const { traceparent: parent } = headers
  const trace = tracing.begin(method ?? 'none', {
    kind: 'server',
    ...(typeof parent === 'string' && { parent }),
    facts: { 'http.request.method': method ?? 'none', 'driveaway.request_id': ctx.state.requestId as string },
  })
  ctx.state.trace = trace
  return trace
}

/**
 * Ends the trace with the outcome of the request, without the address, headers or body: any of these may contain
 * secrets.
 */
export function endTrace(trace: Trace, ctx: Context): void {
  const operation = (ctx.state.operationId as string | undefined) ?? 'none'
  const client = (ctx.state.client as { clientId: string } | undefined)?.clientId
  const status = ctx.state.aborted ? 499 : ctx.res.statusCode
  trace.rename(`${ctx.req.method ?? 'none'} ${operation}`)
  trace.note({
    'http.response.status_code': status,
    'driveaway.operation': operation,
    ...(client !== undefined && { 'driveaway.client': client }),
  })
  trace.end(status >= 500 ? `answered ${status}` : undefined)
}
