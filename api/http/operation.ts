import type { Router } from '@koa/router'
import type { Context } from 'koa'
import type { ClientBinding } from '#rates/published/format.ts'
import type { Trace } from '#runtime/tracing/trace.ts'
import type { ApiError } from '../errors.ts'
import { answerJson } from './answer-json.ts'
import { textOf } from './body-reader.ts'
import type { Contract, ContractOperation, RequestParts } from './contract.ts'
import { declaredQuery } from './declared-query.ts'
import { answerVersioned } from './etag.ts'
import { parseJson } from './parse-json.ts'
import { jsonReader } from './read-body.ts'
import { announcing } from './retirement.ts'
import { schemaFault } from './schema-faults.ts'

/** One validated call: the caller, and what it sent. */
export interface Call<Body = unknown> {
  client: ClientBinding
  requestId: string
  /** Undefined when the request is not traced. */
  trace?: Trace | undefined
  /** Header fields with lower-case names. */
  header: Readonly<Record<string, string | string[] | undefined>>
  /** Path parameters. */
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | undefined>>
  body: Body
}

/** The answer of an operation. Without `version` and `headers`: status 200 with JSON that no cache stores. */
export interface Answer {
  body: unknown
  /** Identifies the version of the answer; becomes the ETag. */
  version?: string
  /** Media type of a body that is text or bytes; default JSON. Only with `version`. */
  type?: string
  /** With `version`: how long clients may use the answer without asking; by default they ask each time. */
  cacheControl?: string
  /** With `version`: a field of the request that the answer depends on besides `Accept-Encoding`. */
  vary?: string
  /** Default 200. */
  status?: number
  headers?: Readonly<Record<string, string>>
}

/** The parts of a request that are known before its body is read. */
export type HeadParts = Omit<RequestParts, 'requestBody'>

/** One operation of a contract: a function from a call and its dependencies to an answer; it may throw ApiError. */
export interface Operation<Dependencies, Body = unknown> {
  operationId: string
  /** Largest body, in bytes. */
  bodyLimit: number
  /** The refusal of a call that breaks the contract; by default, all faults that the schemas find. */
  check?(contract: ContractOperation, parts: RequestParts): ApiError | undefined
  /**
   * Checks a call from the bytes of its body and returns what `handle` receives; by default the body is parsed here.
   */
  examine?(contract: ContractOperation, parts: HeadParts, bytes: Buffer | undefined, begun: Dependencies): Promise<Body>
  handle(call: Call<Body> & Dependencies): Answer | Promise<Answer>
}

/**
 * The first steps of a call, before its body is read: authenticate, authorize, count where requests are limited.
 * Returns the caller and the dependencies of this moment; throws ApiError.
 */
export type Begin<Dependencies> = (ctx: Context) => Begun<Dependencies> | Promise<Begun<Dependencies>>

type Begun<Dependencies> = { client: ClientBinding } & Dependencies

/** Routes one operation at the path that the contract gives it. */
export function routeOperation<Dependencies, Body>(
  router: Router,
  contract: Contract,
  operation: Operation<Dependencies, Body>,
  begin: Begin<Dependencies>,
): void {
  const { operationId } = operation
  const described = contract.operations.find((each) => each.operationId === operationId)
  if (!described) throw new Error(`the contract has no operation ${operationId}`)
  const run = announcing(described.retirement, runOperation(operation, described, begin))
  router.register(described.path.replace(/\{(\w+)\}/g, ':$1'), [described.method], (ctx) => {
    ctx.state.operationId = operationId
    return run(ctx)
  })
}

/** Runs the steps of one operation in order: begin (authenticate, authorize), read, check, handle, answer. */
function runOperation<Dependencies, Body>(
  operation: Operation<Dependencies, Body>,
  contract: ContractOperation,
  begin: Begin<Dependencies>,
): (ctx: Context) => Promise<void> {
  const { mediaTypes, queryNames } = contract
  const readBody = mediaTypes.length > 0 ? jsonReader(mediaTypes, { limit: operation.bodyLimit }) : undefined
  const examine = operation.examine ?? examineHere(operation.check ?? schemaRefusal)
  return async (ctx) => {
    // Most steps have their result at once; each `await` costs a turn of the queue of promises.
    const beginning = begin(ctx)
    const begun = beginning instanceof Promise ? await beginning : beginning
    const bytes = readBody && (await readBody(ctx))
    const { headers: header } = ctx.req
    const params = (ctx as { params?: Record<string, string> }).params ?? {}
    const query = declaredQuery(ctx, queryNames)
    const examined = examine(contract, { header, path: params, query }, bytes, begun)
    const body = (examined instanceof Promise ? await examined : examined) as Body
    const { requestId, trace } = ctx.state as { requestId: string; trace: Trace | undefined }
    const handled = operation.handle({ ...begun, requestId, trace, header, params, query, body })
    answer(ctx, handled instanceof Promise ? await handled : handled)
  }
}

/** Parses a body and checks the call in the request's own turn; most bodies are small. */
function examineHere(check: (contract: ContractOperation, parts: RequestParts) => ApiError | undefined) {
  return (contract: ContractOperation, parts: HeadParts, bytes: Buffer | undefined): unknown => {
    const requestBody = bytes && parseJson(textOf(bytes))
    const refusal = check(contract, { ...parts, requestBody })
    if (refusal) throw refusal
    return requestBody
  }
}

function schemaRefusal(contract: ContractOperation, parts: RequestParts): ApiError | undefined {
  const faults = contract.faultsOf(parts)
  return faults.length > 0 ? schemaFault(faults) : undefined
}

function answer(ctx: Context, { body, version, type, cacheControl, vary, status = 200, headers }: Answer): void {
  if (type !== undefined) ctx.type = type
  if (vary !== undefined) ctx.vary(vary)
  if (version !== undefined) return answerVersioned(ctx, body, version, cacheControl)
  if (!headers) return answerJson(ctx, body)
  ctx.status = status
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
  ctx.body = body
}
