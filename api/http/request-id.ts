import { randomUUID } from 'node:crypto'
import type { Context } from 'koa'

const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/

/** Puts `X-Request-Id` on the answer: the caller's when it is a plain word of at most 128 characters, else a new UUID. */
export function giveRequestId(ctx: Context): void {
  const sent = ctx.req.headers['x-request-id']
  const id = typeof sent === 'string' && ACCEPTED.test(sent) ? sent : randomUUID()
  ctx.state.requestId = id
  ctx.res.setHeader('x-request-id', id)
}
