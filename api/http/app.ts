import { METHODS } from 'node:http'
import { Router } from '@koa/router'
import Koa, { type Middleware } from 'koa'
import { answerVersioned } from './etag.ts'
import { frame, type AppServices } from './frame.ts'
import { staticRoutes } from './static-routes.ts'

/**
 * An application that gives each answer a request id, measures it, and answers every error with the contract's body;
 * `gate` stands before every route.
 */
export function createApp(router: Router, services: AppServices, gate?: Middleware): Koa {
  const { proxyHops = 0 } = services
  const app = new Koa({ proxy: proxyHops > 0, maxIpsCount: proxyHops })
  // What Koa cannot put into an answer any more: nearly always a client that hung up while it was read to.
  app.on('error', (error: NodeJS.ErrnoException) => services.log.debug({ err: error }, 'could not send a response'))
  app.use(frame(services))
  if (gate) app.use(gate)
  app.use(staticRoutes(router))
  app.use(router.routes() as unknown as Middleware)
  app.use(router.allowedMethods() as unknown as Middleware)
  return app
}

/**
 * A router whose paths are exact: with another case or a slash behind it, a rule of a gateway would not know a path that we
 * answer. It answers 405 to every method that HTTP knows and a path does not have; its own default is 501 for some.
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
