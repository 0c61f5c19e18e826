import type { Router } from '@koa/router'
import { createToken, type OAuthServices } from './create-token.ts'
import { authorizationServerMetadata } from './metadata.ts'
import { clientsNotReady } from './require-client.ts'

/** Routes the token endpoint, its keys and its metadata. */
export function routeOAuth(router: Router, services: OAuthServices): void {
  const { holder, issuer } = services
  const metadata = authorizationServerMetadata(issuer.issuer)
  const issue = createToken(services)
  router.post('/oauth/token', (ctx) => issue(ctx))
  router.get('/oauth/jwks', (ctx) => {
    ctx.state.operationId = 'listKeys'
    const { keys } = holder.read()
    if (!keys) throw clientsNotReady()
    ctx.set('cache-control', 'public, max-age=300')
    ctx.body = keys.publicKeys
  })
  router.get('/.well-known/oauth-authorization-server', (ctx) => {
    ctx.state.operationId = 'getIssuerMetadata'
    ctx.body = metadata
  })
}
