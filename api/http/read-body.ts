import { parse } from '@hapi/bourne'
import { koaBody } from 'koa-body'
import type { Context } from 'koa'
import { ApiError } from '../errors.ts'
import { DEADLINE_MS, plainReader, tooLate, type BodyBounds } from './plain-body.ts'

const nothingNext = () => Promise.resolve()

export type ReadBody = (ctx: Context) => Promise<unknown>

/**
 * Reads a JSON body; throws `unsupported_media_type` before anything is read when it is not declared as one of
 * `mediaTypes` in UTF-8, and `request_timeout` when it does not come in time.
 */
export function jsonReader(mediaTypes: readonly string[], bounds: BodyBounds): ReadBody {
  const readPlain = plainReader(parseJson, bounds)
  const readOther = otherJsonReader(mediaTypes, bounds)
  return (ctx) => {
    const { headers } = ctx.req
    const hasLength = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    const isPlain = hasLength && headers['content-encoding'] === undefined
    // As nearly every client declares it, so that nothing of it has to be parsed.
    if (isPlain && mediaTypes.includes(headers['content-type'] ?? '')) return readPlain(ctx.req)
    return readOther(ctx)
  }
}

/** Reads a JSON body that is compressed, or declared in other words; koa-body knows both. */
function otherJsonReader(mediaTypes: readonly string[], { limit, deadlineMs = DEADLINE_MS }: BodyBounds): ReadBody {
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
    rejectCharset(ctx)
    await inTime(ctx, read(ctx, nothingNext) as Promise<unknown>, deadlineMs)
    return (ctx.request as { body?: unknown }).body
  }
}

// RFC 8259 takes any value; here, as in koa-body, a body is an object or an array, and an empty one an empty object.
const OBJECT_OR_ARRAY = /^[\x20\x09\x0a\x0d]*[[{]/

function parseJson(text: string): unknown {
  if (text === '') return {}
  try {
    if (!OBJECT_OR_ARRAY.test(text)) throw new SyntaxError('neither an object nor an array')
    return parse(text)
  } catch (thrown) {
    throw Object.assign(thrown as Error, { status: 400 })
  }
}

/** Reads a form body as it was sent, for a reader that must see repeated names; undefined when it is no form. */
export function formReader({
  limit,
  deadlineMs = DEADLINE_MS,
}: BodyBounds): (ctx: Context) => Promise<string | undefined> {
  const type = 'application/x-www-form-urlencoded'
  const read = koaBody({ textTypes: [type], textLimit: limit, urlencoded: false, json: false, patchNode: false })
  return async (ctx) => {
    if (!ctx.is(type)) return undefined
    await inTime(ctx, read(ctx, nothingNext) as Promise<unknown>, deadlineMs)
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

/** koa-body reads every body as UTF-8, whatever it says of itself. */
function rejectCharset(ctx: Context): void {
  const { charset } = ctx.request
  if (charset === '' || /^utf-?8$/i.test(charset)) return
  throw new ApiError('unsupported_media_type', `Expected the charset utf-8, found ${charset.slice(0, 40)}.`)
}

async function inTime(ctx: Context, reading: Promise<unknown>, deadlineMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate(deadlineMs)), deadlineMs)
  })
  try {
    await Promise.race([reading, late])
  } catch (thrown) {
    // What is left of a refused body is read and dropped, or the next request on this connection would wait behind it.
    ctx.req.unpipe()
    ctx.req.resume()
    throw thrown
  } finally {
    clearTimeout(timer)
  }
}
