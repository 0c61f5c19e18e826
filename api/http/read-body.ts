import type { Context } from 'koa'
import { ApiError } from '../errors.ts'
import { bodyReader, textOf, type BodyBounds } from './body-reader.ts'

/** The bytes of a JSON body after its Content-Encoding; undefined when a request has no body. */
export type ReadBody = (ctx: Context) => Promise<Buffer> | undefined

/**
 * Reads the bytes of a JSON body. Throws `unsupported_media_type` before anything is read unless the body is declared
 * as one of `mediaTypes` in UTF-8; also throws what the body reader throws.
 */
export function jsonReader(mediaTypes: readonly string[], bounds: BodyBounds): ReadBody {
  const read = bodyReader(bounds)
  return (ctx) => {
    const { headers } = ctx.req
    const hasLength = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    // The exact header of nearly every client, so that it need not be parsed.
    if (!hasLength || !mediaTypes.includes(headers['content-type'] ?? '')) checkType(ctx, mediaTypes)
    // For a request without a body, the schema reports that a body is required.
    return hasLength && headers['content-type'] !== undefined ? read(ctx.req) : undefined
  }
}

/** Reads a form body undecoded, for a parser that must see repeated names; undefined when the body is not a form. */
export function formReader(bounds: BodyBounds): (ctx: Context) => Promise<string | undefined> {
  const read = bodyReader(bounds)
  return async (ctx) => (ctx.is('application/x-www-form-urlencoded') ? textOf(await read(ctx.req)) : undefined)
}

function checkType(ctx: Context, mediaTypes: readonly string[]): void {
  if (!ctx.is(...mediaTypes)) rejectMediaType(ctx, mediaTypes)
  rejectCharset(ctx)
}

function rejectMediaType(ctx: Context, mediaTypes: readonly string[]): void {
  const sent = ctx.get('content-type')
  if (sent === '' && !hasBody(ctx)) return
  const found = sent === '' ? 'no Content-Type' : `Content-Type ${sent.slice(0, 100)}`
  throw new ApiError('unsupported_media_type', `Expected ${mediaTypes.join(' or ')}, found ${found}.`)
}

function hasBody(ctx: Context): boolean {
  return ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length')) > 0
}

function rejectCharset(ctx: Context): void {
  const { charset } = ctx.request
  if (charset === '' || /^utf-?8$/i.test(charset)) return
  throw new ApiError('unsupported_media_type', `Expected the charset utf-8, found ${charset.slice(0, 40)}.`)
}
