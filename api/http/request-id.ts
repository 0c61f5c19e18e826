import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'

const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/

/** Puts `X-Request-Id` on every answer: the caller's when it is a plain word of at most 128 characters, else a new UUID. */
export const requestId: Middleware = (ctx, next) => {
  const sent = ctx.get('x-request-id')
  const id = ACCEPTED.test(sent) ? sent : randomUUID()
  ctx.state.requestId = id
  ctx.set('x-request-id', id)
  return next()
}
