import type { ClientBinding } from '#rates/published/format.ts'
import { subjectKey } from '#rates/published/subject-key.ts'
import { ApiError } from '../errors.ts'
import type { HeldClients } from '../load/held.ts'
import type { TokenClaims } from './access-token.ts'
import { REALM, unauthenticated } from './challenge.ts'
import { hasCredential } from './credential-id.ts'
import type { ExternalClaims } from './external-issuers.ts'
import { GRANTS, MACHINE_GRANTS } from './grants.ts'

/** What is known of a verified token: one of ours, or one of an external issuer. */
export type Claims = TokenClaims | ExternalClaims

export function isExternal(claims: Claims): claims is ExternalClaims {
  return 'keySet' in claims
}

/**
 * The client that a token stands for, as it is bound now, never as it was when the token was made; throws
 * `UNAUTHENTICATED`, `INSUFFICIENT_SCOPE` or `USER_INACTIVE`, in this order.
 */
export function authorize(claims: Claims, grant: string, clients: HeldClients): ClientBinding {
  const client = isExternal(claims) ? clientOfSubject(claims, clients) : clientOfToken(claims, clients)
  if (!gives(claims, grant) || !client.grants.includes(grant)) {
    const headers = { 'www-authenticate': `${REALM}, error="insufficient_scope", scope="${grant}"` }
    throw new ApiError('INSUFFICIENT_SCOPE', `The client or its token lacks the grant ${grant}.`, { headers })
  }
  if (client.suspended) throw new ApiError('USER_INACTIVE', 'The client is suspended.')
  return client
}

function clientOfToken({ clientId, clientUid, credential }: TokenClaims, clients: HeldClients): ClientBinding {
  const client = clients.byId.get(clientId)
  if (client?.uid !== clientUid) throw unauthenticated('The client of this token is no more.')
  // Who holds a credential that was taken away may hold a token that it gave.
  if (credential !== undefined && !hasCredential(client, credential)) {
    throw unauthenticated('The credential of this token is no more.')
  }
  return client
}

function clientOfSubject(claims: ExternalClaims, clients: HeldClients): ClientBinding {
  const client = clients.bySubject.get(subjectKey(claims))
  if (!client) throw unauthenticated('No client is bound to the subject of this token.')
  return client
}

function gives(claims: Claims, grant: string): boolean {
  if (!isExternal(claims)) return claims.scopes.includes(grant)
  if (MACHINE_GRANTS.includes(grant) && !claims.isMachine) return false
  // Another issuer's scopes are words of its own; only where it uses ours do they narrow what the client is granted.
  const ours = claims.scopes.filter((scope) => (GRANTS as readonly string[]).includes(scope))
  return ours.length === 0 || ours.includes(grant)
}
