import { errors } from 'jose'
import { ApiError, type RefusalAudit } from '../errors.ts'
import { verifyAccessToken, type TokenTerms } from './access-token.ts'
import { isExternal, type Claims } from './authorize.ts'
import { REALM, unauthenticated } from './challenge.ts'
import type { ExternalIssuers } from './external-issuers.ts'
import { IssuerAway } from './issuer-keys.ts'
import type { KeyRing } from './key-ring.ts'
import { createTokenMemory } from './token-memory.ts'

/** What a token must be to be accepted. */
export interface TokenRules extends TokenTerms {
  /** Milliseconds since the epoch. */
  clock: () => number
  /** Issuers besides ourselves; undefined: none. */
  external?: ExternalIssuers | undefined
}

export type Authenticate = (authorization: string, keys: KeyRing) => Claims | Promise<Claims>

/** Longest token accepted, in characters: our tokens have about 600, the longest of other issuers a few thousand. */
const LONGEST_TOKEN = 8192

const SCHEME = 'Bearer '

/**
 * Creates the check of an Authorization header. The check returns the claims, at once when this exact header was
 * verified before and its key is still published. It throws `not-authenticated` without a bearer token,
 * `UNAUTHENTICATED` for an invalid token, and `not_ready` while the keys of the issuer cannot be read.
 */
export function createAuthenticate(rules: TokenRules, memory = createTokenMemory()): Authenticate {
  const { clock, external } = rules
  return (authorization, keys) => {
    const now = Math.floor(clock() / 1000)
    const known = memory.recall(authorization, now)
    if (known && stillHolds(known, keys, external)) return known
    const token = bearerToken(authorization)
    return verify(token, keys, { ...rules, now }).then(
      (claims) => {
        // Only the canonical spelling is remembered: with other spaces or letter case in the scheme, one token would
        // fill many entries.
        if (authorization === SCHEME + token) memory.remember(authorization, claims)
        return claims
      },
      (cause: unknown) => {
        throw refusal(cause)
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

function stillHolds(known: Claims, keys: KeyRing, external: ExternalIssuers | undefined): boolean {
  return isExternal(known) ? (external?.isCurrent(known) ?? false) : keys.verifiers.has(known.kid)
}

async function verify(token: string, keys: KeyRing, rules: TokenRules & { now: number }): Promise<Claims> {
  const { issuer, audience, now, external } = rules
  if (token.length > LONGEST_TOKEN) throw new Error(`the token has more than ${LONGEST_TOKEN} characters`)
  if (!isCanonical(token)) throw new Error('the token is not in its canonical form')
  if (external?.claims(token)) return external.verify(token, now)
  return verifyAccessToken(token, keys, { issuer, audience, now })
}

/** The client of a token whose signature is valid and which has only expired. */
function clientOf(cause: unknown): RefusalAudit {
  const client = cause instanceof errors.JWTExpired ? cause.payload['client_id'] : undefined
  return typeof client === 'string' ? { client } : {}
}

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)$/

/**
 * Whether a token is in canonical base64url (RFC 7515). Decoders ignore padding and the last bits of the signature,
 * which are not signed themselves; without this check one token would have many spellings.
 */
function isCanonical(token: string): boolean {
  const signature = COMPACT.exec(token)?.[1]
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature
}

function refusal(cause: unknown): ApiError {
  if (!(cause instanceof IssuerAway)) {
    return unauthenticated('The access token is not valid or has expired.', { cause, audit: clientOf(cause) })
  }
  // The token may be valid, which only its issuer's keys can show.
  const headers = { 'retry-after': '5' }
  return new ApiError('not_ready', 'The issuer of this token cannot be reached; try again.', { headers, cause })
}
