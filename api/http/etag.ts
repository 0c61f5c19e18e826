import { createHash } from 'node:crypto'
import type { Context } from 'koa'

/** Answers with a body that a client may keep and must ask about: 304 when it holds this version. */
export function answerVersioned(ctx: Context, body: unknown, version: string): void {
  ctx.set('cache-control', 'private, no-cache')
  ctx.set('etag', `"${createHash('sha256').update(version).digest('base64url').slice(0, 22)}"`)
  ctx.status = 200
  if (ctx.fresh) ctx.status = 304
  else ctx.body = body
}
