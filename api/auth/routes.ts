import type { Router } from '@koa/router'
import type { Context } from 'koa'
import { formReader } from '../http/read-body.ts'
import type { Held, Holder } from '../load/held.ts'
import { authorizationServerMetadata } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'
import { clientsNotReady } from './require-client.ts'
import { issueToken, type IssuingState, type TokenIssuer } from './token-endpoint.ts'
import { parseTokenRequest } from './token-request.ts'

const FORM_LIMIT = 32 * 1024

/** Routes the token endpoint, its keys and its metadata. */
export function routeOAuth(router: Router, holder: Holder, issuer: TokenIssuer): void {
  const readForm = formReader({ limit: FORM_LIMIT })
  const metadata = authorizationServerMetadata(issuer.issuer)
  router.post('/oauth/token', async (ctx) => {
    ctx.state.operationId = 'createToken'
    ctx.set('cache-control', 'no-store')
    const state = issuingState(holder.read())
    try {
      const request = parseTokenRequest(await readForm(ctx), ctx.get('authorization'))
      ctx.body = await issueToken(request, state, issuer)
    } catch (thrown) {
      if (!(thrown instanceof OAuthError)) throw thrown
      refuse(ctx, thrown)
    }
  })
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

function issuingState({ keys, clients }: Held): IssuingState {
  if (!keys?.signer || !clients) throw clientsNotReady()
  return { signer: keys.signer, clients }
}

function refuse(ctx: Context, error: OAuthError): void {
  ctx.status = error.status
  if (error.status === 401)
    ctx.set('www-authenticate', error.challenge ? 'Basic realm="driveaway"' : 'Bearer realm="driveaway"')
  ctx.body = { error: error.code, error_description: error.message }
}
