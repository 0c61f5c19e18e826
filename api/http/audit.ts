import type { Context } from 'koa'
import { Counter, type Registry } from 'prom-client'
import type { Logger } from '#runtime/log.ts'
import type { Trace } from '#runtime/tracing/trace.ts'
import type { ApiError } from '../errors.ts'

/** What is logged of a token request; never its credential. */
export interface TokenRequested {
  client: string | undefined
  /** How the client authenticated. */
  method: string | undefined
}

/** The audit log: tokens issued, tokens refused, and other refusals, one line each with the id of the request. */
export interface Audit {
  tokenIssued(ctx: Context, requested: TokenRequested, scope: string): void
  /** `reason` is a code of RFC 6749 or `throttled`; `detail` is a sentence of this program. */
  tokenRefused(ctx: Context, requested: TokenRequested, refusal: { reason: string; detail: string }): void
  /** Every other error answer; for an internal error, with its cause. */
  refused(ctx: Context, error: ApiError): void
  /**
   * Any answer, with its duration in milliseconds; undefined when the log level omits it, so that nothing is built for
   * it.
   */
  answered: ((ctx: Context, ms: number) => void) | undefined
}

/** Longest name from a caller that is logged, in characters. */
const LONGEST_NAME = 128

const EVENTS: Readonly<Record<number, string>> = { 401: 'authentication_failed', 403: 'denied', 500: 'failed' }

/** Creates the audit log of a process, with metrics of its entries. */
export function createAudit(log: Logger, registry: Registry): Audit {
  const { issued, refusals, denials } = countersOf(registry)
  return {
    tokenIssued: (ctx, { client, method }, scope) => {
      issued.inc({ method })
      log.info({ event: 'token_issued', ...callOf(ctx), client, method, scope }, 'token issued')
    },
    tokenRefused: (ctx, { client, method }, { reason, detail }) => {
      refusals.inc({ reason })
      const named = client?.slice(0, LONGEST_NAME)
      const event = 'authentication_failed'
      log.info({ event, ...callOf(ctx), client: named, method, reason, detail }, 'token refused')
    },
    answered: log.isLevelEnabled('debug') ? (ctx, ms) => noteAnswer(log, ctx, ms) : undefined,
    refused: (ctx, error) => {
      if (error.status === 401 || error.status === 403) denials.inc({ code: error.code })
      noteRefusal(log, ctx, error)
    },
  }
}

/** The access line: the method and the operation, never the path or the query, which callers can make up. */
function noteAnswer(log: Logger, ctx: Context, ms: number): void {
  const client = (ctx.state.client as { clientId: string } | undefined)?.clientId
  const status = ctx.state.aborted ? 499 : ctx.res.statusCode
  const rounded = Math.round(ms * 1000) / 1000
  log.debug({ event: 'answered', ...callOf(ctx), client, method: ctx.req.method, status, ms: rounded }, 'answered')
}

function countersOf(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, label: Label) =>
    new Counter({ name, help, labelNames: [label], registers: [registry] })
  return {
    issued: counter('driveaway_tokens_issued_total', 'Access tokens issued, by authentication method.', 'method'),
    refusals: counter(
      'driveaway_token_refusals_total',
      'Token requests refused, by the code of RFC 6749 or "throttled".',
      'reason',
    ),
    denials: counter('driveaway_access_refusals_total', 'Requests refused with 401 or 403, by code.', 'code'),
  }
}

function noteRefusal(log: Logger, ctx: Context, error: ApiError): void {
  const { status, code, cause, errors } = error
  const client = (ctx.state.client as { clientId: string } | undefined)?.clientId
  const event = EVENTS[status] ?? 'refused'
  const path = errors?.[0]?.path.slice(0, LONGEST_NAME)
  const fields = { event, ...callOf(ctx), client, status, code, path, reason: reasonOf(error), ...error.audit }
  // A receipt is not signed because of a key of this environment, which somebody has to repair.
  if (status === 500 || code === 'RECEIPT_NOT_SIGNED') log.error({ ...fields, err: cause }, 'request failed')
  else log.info(fields, 'refused')
}

/** The reason as a code: the message of a library's error may contain what the client sent. */
function reasonOf({ cause }: ApiError): string | undefined {
  if (!(cause instanceof Error)) return undefined
  if ('code' in cause) return String(cause.code)
  // A plain Error is thrown by this program with a fixed message.
  return cause.constructor === Error ? cause.message : undefined
}

interface CallState {
  requestId: string
  operationId: string | undefined
  trace: Trace | undefined
}

/** The fields that identify a call in the log. */
function callOf(ctx: Context) {
  const { requestId, operationId: operation, trace } = ctx.state as CallState
  return { requestId, traceId: trace?.traceId, operation, address: ctx.ip }
}
