import type { ClientBinding } from '#rates/published/format.ts'
import { ApiError } from '../errors.ts'
import type { HeldClients } from '../load/held.ts'
import { verifyAccessToken, type TokenClaims, type TokenTerms } from './access-token.ts'
import type { KeyRing } from './key-ring.ts'
import { createTokenMemory } from './token-memory.ts'

const REALM = 'Bearer realm="driveaway"'

/** What a token has to be to be accepted. */
export interface TokenRules extends TokenTerms {
  /** Milliseconds since the epoch. */
  clock: () => number
}

export type Authenticate = (authorization: string, keys: KeyRing) => TokenClaims | Promise<TokenClaims>

/**
 * Makes the check of an Authorization header: the claims at once when this token was verified before and its key is
 * still published; throws `not-authenticated` without a bearer token, `UNAUTHENTICATED` with one that does not hold.
 */
export function createAuthenticate(rules: TokenRules, memory = createTokenMemory()): Authenticate {
  const { issuer, audience, clock } = rules
  return (authorization, keys) => {
    const token = bearerToken(authorization)
    const now = Math.floor(clock() / 1000)
    const known = memory.recall(token, now)
    if (known && keys.verifiers.has(known.kid)) return known
    return verifyAccessToken(token, keys, { issuer, audience, now }).then(
      (claims) => {
        memory.remember(token, claims)
        return claims
      },
      (cause: unknown) => {
        throw unauthenticated('The access token is not valid or has expired.', cause)
      },
    )
  }
}

function bearerToken(authorization: string): string {
  const match = /^bearer(?: +(.*))?$/i.exec(authorization)
  if (!match) {
    // RFC 6750, 3.1: a request without credentials is told the scheme and no error code.
    const headers = { 'www-authenticate': REALM }
    throw new ApiError('not-authenticated', 'Send an access token: Authorization: Bearer <token>.', { headers })
  }
  return match[1]?.trim() ?? ''
}

function unauthenticated(message: string, cause?: unknown): ApiError {
  const headers = { 'www-authenticate': `${REALM}, error="invalid_token", error_description="${message}"` }
  return new ApiError('UNAUTHENTICATED', message, { headers, cause })
}

/**
 * The client that a token was issued to, as it is bound now, never as it was when the token was made; throws
 * `UNAUTHENTICATED`, `INSUFFICIENT_SCOPE` or `USER_INACTIVE`, in this order.
 */
export function authorize(claims: TokenClaims, grant: string, clients: HeldClients): ClientBinding {
  const client = clients.byId.get(claims.clientId)
  if (!client || client.uid !== claims.clientUid) throw unauthenticated('The client of this token is no more.')
  if (!claims.scopes.includes(grant) || !client.grants.includes(grant)) {
    const headers = { 'www-authenticate': `${REALM}, error="insufficient_scope", scope="${grant}"` }
    throw new ApiError('INSUFFICIENT_SCOPE', `The client or its token lacks the grant ${grant}.`, { headers })
  }
  if (client.suspended) throw new ApiError('USER_INACTIVE', 'The client is suspended.')
  return client
}
