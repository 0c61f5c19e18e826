import type { ClientBinding } from '#rates/published/format.ts'
import type { HeldClients } from '../load/held.ts'
import { signAccessToken, TOKEN_SECONDS, type TokenTerms } from './access-token.ts'
import { clientOfAssertion, verifyAssertion } from './client-assertion.ts'
import { matchingSecret } from './client-secret.ts'
import { credentialId } from './credential-id.ts'
import type { KeyRing } from './key-ring.ts'
import { OAuthError } from './oauth-error.ts'
import type { ReplayMemory } from './replay-memory.ts'
import type { ClientCredential, TokenRequest } from './token-request.ts'

export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  scope?: string
}

export interface TokenIssuer extends TokenTerms {
  /** Address of the token endpoint, which an assertion may name as its audience. */
  tokenEndpoint: string
  replays: ReplayMemory
  /** Milliseconds since the epoch. */
  clock: () => number
}

/** What tokens are issued with at one moment. */
export interface IssuingState {
  signer: NonNullable<KeyRing['signer']>
  clients: HeldClients
}

/**
 * Authenticates a client and signs its token. A suspended client gets a token too, so that the operations can say why
 * they refuse it. Throws OAuthError.
 */
export async function issueToken(
  request: TokenRequest,
  state: IssuingState,
  issuer: TokenIssuer,
): Promise<TokenAnswer> {
  const now = Math.floor(issuer.clock() / 1000)
  const { client, credential } = await authenticateClient(request.credential, state.clients, { ...issuer, now })
  const scopes = request.scopes ?? client.grants
  const beyond = scopes.find((scope) => !client.grants.includes(scope))
  if (beyond !== undefined) throw new OAuthError('invalid_scope', 'The client is not granted all of this scope.')
  const { issuer: iss, audience } = issuer
  const token = await signAccessToken(state.signer, client, { issuer: iss, audience, scopes, now, credential })
  const scope = scopes.join(' ')
  return { access_token: token, token_type: 'Bearer', expires_in: TOKEN_SECONDS, ...(scope && { scope }) }
}

type AuthenticationRules = TokenIssuer & { now: number }

/** An authenticated client, and the id of the credential that it used. */
interface Authenticated {
  client: ClientBinding
  credential: string
}

async function authenticateClient(
  credential: ClientCredential,
  clients: HeldClients,
  rules: AuthenticationRules,
): Promise<Authenticated> {
  if (credential.method === 'private_key_jwt') return byAssertion(credential, clients, rules)
  const client = clients.byId.get(credential.clientId)
  const secret = matchingSecret(credential.secret, client?.secrets ?? [])
  if (client && secret) return { client, credential: credentialId(secret) }
  const challenge = credential.method === 'client_secret_basic'
  // One answer for an unknown client and for a wrong secret, so that nobody can probe for client names.
  throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.', { challenge })
}

async function byAssertion(
  credential: Extract<ClientCredential, { method: 'private_key_jwt' }>,
  clients: HeldClients,
  rules: AuthenticationRules,
): Promise<Authenticated> {
  const clientId = clientOfAssertion(credential.assertion)
  if (credential.clientId !== undefined && credential.clientId !== clientId) {
    throw new OAuthError('invalid_request', 'client_id differs from the client assertion.')
  }
  const client = clients.byId.get(clientId)
  if (!client) throw new OAuthError('invalid_client', 'The client assertion is not valid.')
  const audiences = [rules.issuer, rules.tokenEndpoint]
  const { replays, now } = rules
  return { client, credential: await verifyAssertion(credential.assertion, client, { audiences, replays, now }) }
}
