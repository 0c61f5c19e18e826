import type { Router } from '@koa/router'
import { notLoaded } from './admit.ts'
import { createToken, type OAuthServices } from './create-token.ts'
import { authorizationServerMetadata } from './metadata.ts'

/** Routes the token endpoint, its keys and its metadata. */
export function routeOAuth(router: Router, services: OAuthServices): void {
  const { holder, issuer } = services
  const metadata = authorizationServerMetadata(issuer.issuer)
  const issue = createToken(services)
  router.post('/oauth/token', (ctx) => issue(ctx))
  router.get('/oauth/jwks', (ctx) => {
    ctx.state.operationId = 'listKeys'
    const { keys } = holder.read()
    if (!keys) throw notLoaded('Clients and keys')
    ctx.set('cache-control', 'public, max-age=300')
    ctx.body = keys.publicKeys
  })
  router.get('/.well-known/oauth-authorization-server', (ctx) => {
    ctx.state.operationId = 'getIssuerMetadata'
    ctx.body = metadata
  })
}
