import type { Context } from 'koa'
import koaCompress from 'koa-compress'

/** Smallest answer that is compressed, in bytes; smaller ones are not worth the time. */
const THRESHOLD = 1024

// Brotli's default level 11 takes a hundred times as long as level 4 and saves a few percent.
const run = koaCompress({ threshold: THRESHOLD, zstd: false, gzip: { level: 4 } })
const nothingNext = () => Promise.resolve()

/** Compresses an answer of 1 KB or more when the caller accepts it; costs nothing for other callers. */
export async function compressAnswer(ctx: Context): Promise<void> {
  // A caller that refuses every coding gets identity: RFC 9110, 12.5.3, leaves the choice to the server.
  if (ctx.respond === false || !ctx.acceptsEncodings('gzip', 'br', 'deflate')) return
  await run(ctx, nothingNext)
  const etag = ctx.res.getHeader('etag')
  // The bytes differ while the content is the same, so a strong tag would be wrong (RFC 9110, 8.8.1).
  if (typeof etag === 'string' && ctx.res.hasHeader('content-encoding')) ctx.set('etag', etag.replace(/^"/, 'W/"'))
}
