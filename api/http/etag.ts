import { createHash } from 'node:crypto'
import type { Context } from 'koa'

/** Answers with a body that clients may store and, by default, must revalidate: 304 when the client has this version. */
export function answerVersioned(
  ctx: Context,
  body: unknown,
  version: string,
  cacheControl = 'private, no-cache',
): void {
  const etag = `"${createHash('sha256').update(version).digest('base64url').slice(0, 22)}"`
  ctx.set('cache-control', cacheControl)
  ctx.set('etag', etag)
  ctx.vary('Accept-Encoding')
  // Not ctx.fresh: it treats a request's no-cache as a request for the whole body, while RFC 9111, 5.2.1.4, asks for
  // validation.
  if (holds(ctx.get('if-none-match'), etag)) ctx.status = 304
  else ctx.body = body
}

/** Whether If-None-Match names this tag; compared weakly (RFC 9110, 13.1.2). */
function holds(ifNoneMatch: string, etag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
