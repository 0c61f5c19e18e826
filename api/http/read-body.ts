import { koaBody } from 'koa-body'
import type { Context } from 'koa'
import { ApiError } from '../errors.ts'

const nothingNext = () => Promise.resolve()

export type ReadBody = (ctx: Context) => Promise<unknown>

/**
 * Reads a JSON body of at most `limit` bytes; throws `unsupported_media_type` before anything is read when it is not
 * declared as one of `mediaTypes`.
 */
export function jsonReader(mediaTypes: readonly string[], limit: number): ReadBody {
  const read = koaBody({
    jsonTypes: [...mediaTypes],
    jsonLimit: limit,
    urlencoded: false,
    text: false,
    patchNode: false,
  })
  return async (ctx) => {
    // koa-body leaves a body of another type unread and unreported.
    if (!ctx.is(...mediaTypes)) rejectMediaType(ctx, mediaTypes)
    await read(ctx, nothingNext)
    return (ctx.request as { body?: unknown }).body
  }
}

/** Reads a form body of at most `limit` bytes as it was sent, for a reader that must see repeated names; undefined when it is no form. */
export function formReader(limit: number): (ctx: Context) => Promise<string | undefined> {
  const type = 'application/x-www-form-urlencoded'
  const read = koaBody({ textTypes: [type], textLimit: limit, urlencoded: false, json: false, patchNode: false })
  return async (ctx) => {
    if (!ctx.is(type)) return undefined
    await read(ctx, nothingNext)
    return (ctx.request as { body?: string }).body ?? ''
  }
}

function rejectMediaType(ctx: Context, mediaTypes: readonly string[]): void {
  const sent = ctx.get('content-type')
  // A request without any body is told which fields it lacks, by its schema.
  if (sent === '' && !hasBody(ctx)) return
  const found = sent === '' ? 'no Content-Type' : `Content-Type ${sent.slice(0, 100)}`
  throw new ApiError('unsupported_media_type', `Expected ${mediaTypes.join(' or ')}, found ${found}.`)
}

function hasBody(ctx: Context): boolean {
  return ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length')) > 0
}
