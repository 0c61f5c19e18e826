import type { Context } from 'koa'
import { ApiError } from '../errors.ts'
import type { Audit, TokenRequested } from '../http/audit.ts'
import { formReader } from '../http/read-body.ts'
import type { Held, Holder } from '../load/held.ts'
import { clientOfAssertion } from './client-assertion.ts'
import { createFailureThrottle } from './failure-throttle.ts'
import { OAuthError } from './oauth-error.ts'
import { notLoaded } from './admit.ts'
import { issueToken, type IssuingState, type TokenIssuer } from './token-endpoint.ts'
import { parseTokenRequest, type ClientCredential } from './token-request.ts'

const FORM_LIMIT = 32 * 1024

/** What the OAuth endpoints answer from. */
export interface OAuthServices {
  holder: Holder
  issuer: TokenIssuer
  audit: Audit
}

/**
 * Creates the handler of `POST /oauth/token`. Every token and every refusal is written to the audit log, and failures
 * are throttled.
 */
export function createToken({ holder, issuer, audit }: OAuthServices): (ctx: Context) => Promise<void> {
  const readForm = formReader({ limit: FORM_LIMIT })
  const throttle = createFailureThrottle(issuer.clock)
  return async (ctx) => {
    ctx.state.operationId = 'createToken'
    ctx.set('cache-control', 'no-store')
    // Compression is off: the compressed size of a secret reveals something about the secret.
    ctx.compress = false
    const state = issuingState(holder.read())
    let requested: TokenRequested = { client: undefined, method: undefined }
    try {
      const request = parseTokenRequest(await readForm(ctx), ctx.get('authorization'))
      requested = { client: namedClient(request.credential), method: request.credential.method }
      const answer = await issueToken(request, state, issuer)
      audit.tokenIssued(ctx, requested, answer.scope ?? '')
      ctx.body = answer
    } catch (thrown) {
      if (!(thrown instanceof OAuthError)) throw thrown
      const { client } = requested
      const wait = thrown.code === 'invalid_client' ? throttle.failed({ client, address: ctx.ip }) : undefined
      audit.tokenRefused(ctx, requested, { reason: wait ? 'throttled' : thrown.code, detail: thrown.message })
      if (wait) throw throttled(wait)
      refuse(ctx, thrown)
    }
  }
}

function throttled(wait: number): ApiError {
  const message = `Too many failed attempts; try again in ${wait} seconds.`
  return new ApiError('RATE_LIMITED', message, { headers: { 'retry-after': String(wait) } })
}

function refuse(ctx: Context, error: OAuthError): void {
  ctx.status = error.status
  if (error.status === 401)
    ctx.set('www-authenticate', error.challenge ? 'Basic realm="driveaway"' : 'Bearer realm="driveaway"')
  ctx.body = { error: error.code, error_description: error.message }
}

function issuingState({ keys, clients }: Held): IssuingState {
  if (!keys?.signer || !clients) throw notLoaded('Clients and keys')
  return { signer: keys.signer, clients }
}

/** The client id in a token request, unverified. */
function namedClient(credential: ClientCredential): string | undefined {
  if (credential.method !== 'private_key_jwt') return credential.clientId
  try {
    return clientOfAssertion(credential.assertion)
  } catch {
    return credential.clientId
  }
}
