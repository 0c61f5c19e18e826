import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import { writeTogether } from './stages.ts'

/**
 * Answers 200 with JSON that no cache may store, and with the id of the request. Bypasses Koa, which would guess the
 * content type and measure the body before Node measures it again.
 */
export function answerJson(ctx: Context, body: unknown): void {
  const text = JSON.stringify(body)
  const { res } = ctx
  if (ctx.req.headers['accept-encoding'] !== undefined) return answerCompressible(ctx, text)
  ctx.respond = false
  // Known to whoever measures the answer before it is written.
  res.statusCode = 200
  writeTogether(() => write(res, text, (ctx.state as { requestId: string }).requestId))
}

function write(res: ServerResponse, text: string, requestId: string): void {
  const length = Buffer.byteLength(text)
  // All fields at once: Node checks and keeps each field that is set by itself.
  res.writeHead(200, {
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
  })
  // When the byte length equals the text length the text is ASCII, and Node can copy it instead of encoding it.
  res.end(text, length === text.length ? 'latin1' : 'utf8')
}

/** Answers through Koa, where the body may be compressed. */
function answerCompressible(ctx: Context, text: string): void {
  ctx.set('cache-control', 'no-store')
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = text
}
