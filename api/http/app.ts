import { METHODS } from 'node:http'
import { Router } from '@koa/router'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { DirectKoa } from './direct-koa.ts'
import { answerVersioned } from './etag.ts'
import { frame, type AppServices } from './frame.ts'
import { staticRoutes } from './static-routes.ts'

/**
 * Creates an application that gives each answer a request id, measures it, and turns every error into the contract's
 * body; `gate` runs before every route.
 */
export function createApp(router: Router, services: AppServices, gate?: Middleware): Koa {
  const { proxyHops = 0 } = services
  const app = new DirectKoa({ proxy: proxyHops > 0, maxIpsCount: proxyHops })
  // Errors that Koa cannot answer any more: nearly always a client that disconnected while its answer was sent.
  app.on('error', (error: NodeJS.ErrnoException) => services.log.debug({ err: error }, 'could not send a response'))
  app.use(frame(services))
  if (gate) app.use(gate)
  app.use(staticRoutes(router))
  app.use(router.routes() as unknown as Middleware)
  app.use(router.allowedMethods() as unknown as Middleware)
  return app
}

/**
 * A router with exact paths: a gateway's rule would miss a path that differs in case or ends with a slash. For a known
 * path it answers 405 to every other HTTP method; by default some would get 501.
 */
export const createRouter = (): Router => new Router({ methods: METHODS, sensitive: true, strict: true })

/** Routes `GET /spec`: the contract itself, to anybody. */
export function routeSpecification(router: Router, document: object): void {
  const text = JSON.stringify(document)
  router.get('/spec', (ctx) => {
    ctx.state.operationId = 'getSpecification'
    ctx.type = 'application/json'
    answerVersioned(ctx, text, text)
  })
}
