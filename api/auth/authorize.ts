import type { ClientBinding } from '#rates/published/format.ts'
import { subjectKey } from '#rates/published/subject-key.ts'
import { ApiError } from '../errors.ts'
import type { HeldClients } from '../load/held.ts'
import type { TokenClaims } from './access-token.ts'
import { REALM, unauthenticated } from './challenge.ts'
import { hasCredential } from './credential-id.ts'
import type { ExternalClaims } from './external-issuers.ts'
import { GRANTS, MACHINE_GRANTS } from './grants.ts'

/** The claims of a verified token: one of ours, or one of an external issuer. */
export type Claims = TokenClaims | ExternalClaims

export function isExternal(claims: Claims): claims is ExternalClaims {
  return 'keySet' in claims
}

/**
 * Returns the client of a token as it is bound now, not as it was when the token was issued. Throws `UNAUTHENTICATED`,
 * `INSUFFICIENT_SCOPE` or `USER_INACTIVE`, checked in this order.
 */
export function authorize(claims: Claims, grant: string, clients: HeldClients): ClientBinding {
  const client = isExternal(claims) ? clientOfSubject(claims, clients) : clientOfToken(claims, clients)
  if (!gives(claims, grant) || !client.grants.includes(grant)) {
    const headers = { 'www-authenticate': `${REALM}, error="insufficient_scope", scope="${grant}"` }
    const message = `The client or its token lacks the grant ${grant}.`
    const reason = client.grants.includes(grant) ? 'grant_not_in_token' : 'grant_not_given'
    throw new ApiError('INSUFFICIENT_SCOPE', message, { headers, audit: { client: client.clientId, grant, reason } })
  }
  if (client.suspended) {
    const audit = { client: client.clientId, grant, reason: 'suspended' }
    throw new ApiError('USER_INACTIVE', 'The client is suspended.', { audit })
  }
  return client
}

function clientOfToken({ clientId, clientUid, credential }: TokenClaims, clients: HeldClients): ClientBinding {
  const client = clients.byId.get(clientId)
  if (client?.uid !== clientUid) {
    const reason = client ? 'client_recreated' : 'client_deleted'
    throw unauthenticated("This token's client no longer exists.", { audit: { client: clientId, reason } })
  }
  // A token that was obtained with a credential which has since been removed is no longer accepted.
  if (credential !== undefined && !hasCredential(client, credential)) {
    const audit = { client: clientId, reason: 'credential_removed' }
    throw unauthenticated("This token's credential no longer exists.", { audit })
  }
  return client
}

function clientOfSubject(claims: ExternalClaims, clients: HeldClients): ClientBinding {
  const client = clients.bySubject.get(subjectKey(claims))
  if (!client) {
    const audit = { reason: 'subject_not_bound' }
    throw unauthenticated('No client is bound to the subject of this token.', { audit })
  }
  return client
}

function gives(claims: Claims, grant: string): boolean {
  if (!isExternal(claims)) return claims.scopes.includes(grant)
  if (MACHINE_GRANTS.includes(grant) && !claims.isMachine) return false
  // Another issuer has scopes of its own; they narrow the client's grants only where the issuer uses our names.
  const ours = claims.scopes.filter((scope) => (GRANTS as readonly string[]).includes(scope))
  return ours.length === 0 || ours.includes(grant)
}
