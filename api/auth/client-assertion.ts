import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
} from 'jose'
import type { ClientBinding } from '#rates/published/format.ts'
import { credentialId, keyCredential, keysOf } from './credential-id.ts'
import { OAuthError } from './oauth-error.ts'
import type { ReplayMemory } from './replay-memory.ts'

/** Longest lifetime of a client assertion, in seconds. */
export const ASSERTION_SECONDS = 60
// Allowance for clocks that differ, in seconds; RFC 7523, 3, permits a small one.
const LEEWAY_SECONDS = 5

export const ASSERTION_ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256']

export interface AssertionRules {
  /** What `aud` may be, one of them alone: the issuer or the token endpoint. */
  audiences: readonly string[]
  replays: ReplayMemory
  /** Seconds since the epoch. */
  now: number
}

/** The client id that an assertion names, unverified. Throws OAuthError when the assertion is not a JWT. */
export function clientOfAssertion(assertion: string): string {
  try {
    const { iss, sub } = decodeJwt(assertion)
    if (iss === sub && typeof sub === 'string') return sub
  } catch {
    // The error is thrown below.
  }
  throw new OAuthError('invalid_client', 'The client assertion is not a JWT whose iss and sub are the client id.')
}

/**
 * Verifies a client assertion (RFC 7523, section 3) with the client's own keys and returns the id of the credential.
 * Throws OAuthError `invalid_client`.
 */
export async function verifyAssertion(
  assertion: string,
  client: ClientBinding,
  rules: AssertionRules,
): Promise<string> {
  const keys = keysOf(client) as unknown as JSONWebKeySet['keys']
  const payload = await verified(assertion, client.clientId, { keys, rules })
  const { exp = 0, iat, jti } = payload
  const lifetime = exp - Math.min(iat ?? rules.now, rules.now)
  if (lifetime > ASSERTION_SECONDS + LEEWAY_SECONDS) {
    throw new OAuthError('invalid_client', `A client assertion must expire within ${ASSERTION_SECONDS} seconds of its issue.`)
  }
  if (typeof jti !== 'string' || jti === '' || jti.length > 256) {
    throw new OAuthError('invalid_client', 'The client assertion needs a jti of at most 256 characters.')
  }
  const expires = exp + LEEWAY_SECONDS
  if (!rules.replays.recordUse(client.clientId, jti, { expires, now: rules.now })) {
    throw new OAuthError('invalid_client', 'The client assertion was used before.')
  }
  return credentialId(keyCredential(client, decodeProtectedHeader(assertion).kid))
}

async function verified(
  assertion: string,
  clientId: string,
  by: { keys: JSONWebKeySet['keys']; rules: AssertionRules },
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(assertion, createLocalJWKSet({ keys: by.keys }), {
      algorithms: ASSERTION_ALGORITHMS,
      issuer: clientId,
      subject: clientId,
      audience: [...by.rules.audiences],
      clockTolerance: LEEWAY_SECONDS,
      currentDate: new Date(by.rules.now * 1000),
      requiredClaims: ['exp', 'jti', 'aud'],
    })
    // One of several audiences could pass the assertion on to us as its own.
    if (Array.isArray(payload.aud) && payload.aud.length > 1) throw new Error('several audiences')
    return payload
  } catch (cause) {
    throw new OAuthError('invalid_client', 'The client assertion is not valid.', { cause })
  }
}
