import type { Router } from '@koa/router'
import type { Context, Middleware, Next } from 'koa'

type Handle = (ctx: Context, next: Next) => unknown

/**
 * Middleware that looks up routes without parameters by the raw path; everything else, including a query, is left to
 * the router.
 */
export function staticRoutes(router: Router): Middleware {
  const found = new Map<string, Map<string, Handle>>()
  for (const { path, methods, paramNames, stack } of router.stack) {
    if (typeof path !== 'string' || paramNames.length > 0 || stack.length !== 1) continue
    const byMethod = found.get(path) ?? new Map<string, Handle>()
    found.set(path, byMethod)
    // The router uses the first registered route.
    for (const method of methods) if (!byMethod.has(method)) byMethod.set(method, stack[0] as unknown as Handle)
  }
  found.set('*', new Map([['OPTIONS', answerServerWide(router)]]))
  return (ctx, next) => {
    const { url, method } = ctx.req
    const handle = found.get(url ?? '')?.get(method ?? '')
    return handle ? handle(ctx, next) : next()
  }
}

/** RFC 9110, 9.3.7: `OPTIONS *` asks for the methods of the server as a whole. */
function answerServerWide(router: Router): Handle {
  const methods = new Set(router.stack.flatMap((route) => route.methods)).add('OPTIONS')
  const allow = [...methods].sort().join(', ')
  return (ctx) => {
    ctx.set('allow', allow)
    ctx.status = 200
    ctx.body = ''
  }
}
