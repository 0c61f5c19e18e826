import type { Router } from '@koa/router'
import type { Context, Middleware, Next } from 'koa'

type Handle = (ctx: Context, next: Next) => unknown

/**
 * Middleware that finds a route without parameters by its path as it was sent; everything else, a query too, is left to the
 * router.
 */
export function staticRoutes(router: Router): Middleware {
  const found = new Map<string, Map<string, Handle>>()
  for (const { path, methods, paramNames, stack } of router.stack) {
    if (typeof path !== 'string' || paramNames.length > 0 || stack.length !== 1) continue
    const byMethod = found.get(path) ?? new Map<string, Handle>()
    found.set(path, byMethod)
    // The router takes the first that was registered.
    for (const method of methods) if (!byMethod.has(method)) byMethod.set(method, stack[0] as unknown as Handle)
  }
  return (ctx, next) => {
    const { url, method } = ctx.req
    const handle = found.get(url ?? '')?.get(method ?? '')
    return handle ? handle(ctx, next) : next()
  }
}
