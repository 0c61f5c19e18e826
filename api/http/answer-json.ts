import type { Context } from 'koa'

/**
 * Answers 200 with what no cache may keep. Written past Koa, which would guess at the type of a body and measure it before
 * Node does so again.
 */
export function answerJson(ctx: Context, body: unknown): void {
  const text = JSON.stringify(body)
  const { res } = ctx
  if (ctx.req.headers['accept-encoding'] !== undefined) return answerCompressible(ctx, text)
  res.statusCode = 200
  res.setHeader('cache-control', 'no-store')
  res.setHeader('content-type', 'application/json; charset=utf-8')
  ctx.respond = false
  // As many bytes as characters: ASCII, whose bytes Node copies instead of encoding them.
  res.end(text, Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8')
}

/** The same through Koa, where an answer may be compressed. */
function answerCompressible(ctx: Context, text: string): void {
  ctx.set('cache-control', 'no-store')
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = text
}
