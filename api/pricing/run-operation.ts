import type { Context } from 'koa'
import type { Authenticate } from '../auth/authenticate.ts'
import { authorize } from '../auth/authorize.ts'
import { ApiError } from '../errors.ts'
import type { ContractOperation } from '../http/contract.ts'
import { answerJson } from '../http/answer-json.ts'
import { answerVersioned } from '../http/etag.ts'
import { jsonReader } from '../http/read-body.ts'
import { unreadable } from '../http/body-reader.ts'
import { schemaFault } from '../http/schema-faults.ts'
import type { Held, Holder } from '../load/held.ts'
import type { ClientLimit } from './client-limit.ts'
import type { Answer, Call, Operation } from './operation.ts'
import type { ReportOf } from './reports/reports.ts'
import type { CountUnpriced } from './unpriced-metric.ts'

/** What every operation is run with. */
export interface OperationServices {
  holder: Holder
  authenticate: Authenticate
  countUnpriced: CountUnpriced
  reportOf: ReportOf
  /** Undefined where requests are not limited. */
  limit?: ClientLimit | undefined
}

/** Makes the handler of one operation: authenticate, authorize, read, check against the contract, handle, answer. */
export function runOperation(
  operation: Operation,
  contract: ContractOperation,
  { holder, authenticate, countUnpriced, reportOf, limit }: OperationServices,
): (ctx: Context) => Promise<void> {
  const readBody =
    contract.mediaTypes.length > 0 ? jsonReader(contract.mediaTypes, { limit: operation.bodyLimit }) : undefined
  return async (ctx) => {
    const held = complete(holder.read())
    const known = authenticate(ctx.req.headers.authorization ?? '', held.keys)
    const claims = known instanceof Promise ? await known : known
    const client = authorize(claims, operation.grant, held.clients)
    ctx.state.client = client
    limit?.(ctx, client.clientId)
    const body = await readBody?.(ctx)
    const query = declaredQuery(ctx, contract.queryNames)
    const faults = contract.faultsOf({ header: ctx.req.headers, query, requestBody: body })
    if (faults.length > 0) throw schemaFault(faults)
    const call: Call = { client, snapshot: held.rates.snapshot, body, query, countUnpriced, reportOf }
    const handled = operation.handle(call)
    answer(ctx, handled instanceof Promise ? await handled : handled)
  }
}

type Complete = { [Part in keyof Held]: NonNullable<Held[Part]> }

function complete(held: Held): Complete {
  const { rates, clients, keys } = held
  if (rates && clients && keys) return { rates, clients, keys }
  throw notReady()
}

/** The refusal before everything needed is loaded. */
export function notReady(): ApiError {
  return new ApiError('not_ready', 'The rates are not loaded yet; try again.', { headers: { 'retry-after': '2' } })
}

/** Parameters that the contract does not name are ignored, as unknown fields of a body are. */
function declaredQuery(ctx: Context, names: readonly string[]): Record<string, string | undefined> {
  const query: Record<string, string | undefined> = {}
  if (names.length === 0) return query
  rejectUndecodable(ctx.querystring)
  for (const name of names) if (ctx.query[name] !== undefined) query[name] = ctx.query[name] as string
  return query
}

/** Koa reads bytes that are no UTF-8 as replacement characters: two different queries would be one. */
function rejectUndecodable(querystring: string): void {
  if (!querystring.includes('%')) return
  try {
    decodeURIComponent(querystring)
  } catch (cause) {
    throw unreadable('is not UTF-8', cause, '/query')
  }
}

function answer(ctx: Context, { body, version }: Answer): void {
  if (version !== undefined) return answerVersioned(ctx, body, version)
  answerJson(ctx, body)
}
