import type { Context } from 'koa'
import koaCompress from 'koa-compress'

/** Bytes of an answer from which compression is worth its time. */
const THRESHOLD = 1024

// Brotli's default of 11 takes a hundred times as long as 4, for a few percent.
const run = koaCompress({ threshold: THRESHOLD, zstd: false, gzip: { level: 4 } })
const nothingNext = () => Promise.resolve()

/** Compresses an answer of 1 KB and more for a caller that asks for it; all others cost nothing here. */
export async function compressAnswer(ctx: Context): Promise<void> {
  // Whoever refuses everything, identity too, gets identity: RFC 9110, 12.5.3, leaves that to us.
  if (ctx.respond === false || !ctx.acceptsEncodings('gzip', 'br', 'deflate')) return
  await run(ctx, nothingNext)
  const etag = ctx.res.getHeader('etag')
  // Other bytes of the same content: a strong tag would be wrong (RFC 9110, 8.8.1).
  if (typeof etag === 'string' && ctx.res.hasHeader('content-encoding')) ctx.set('etag', etag.replace(/^"/, 'W/"'))
}
