import { randomUUID } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { ClientBinding } from '#rates/published/format.ts'
import type { KeyRing } from './key-ring.ts'

/** Lifetime of an access token in seconds; the previous signing key stays published for at least as long. */
export const TOKEN_SECONDS = 3600

/** The issuer and the audience of a token. */
export interface TokenTerms {
  /** Identifies this authorization server. */
  issuer: string
  audience: string
}

/** What a verified token says. */
export interface TokenClaims {
  kid: string
  clientId: string
  clientUid: string
  scopes: readonly string[]
  /**
   * Id of the credential that the client authenticated with; undefined in a token issued before tokens had this claim.
   */
  credential: string | undefined
  /** Seconds since the epoch. */
  expires: number
}

/** Signs an access token of RFC 9068 for one hour with the given grants; `now` in seconds since the epoch. */
export function signAccessToken(
  signer: NonNullable<KeyRing['signer']>,
  client: ClientBinding,
  options: TokenTerms & { scopes: readonly string[]; now: number; credential?: string },
): Promise<string> {
  const { scopes, credential } = options
  const scope = scopes.join(' ')
  const claims = { client_id: client.clientId, client_uid: client.uid, ...(scope && { scope }) }
  return new SignJWT({ ...claims, ...(credential !== undefined && { client_credential: credential }) })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: signer.kid })
    .setIssuer(options.issuer)
    .setAudience(options.audience)
    .setSubject(client.clientId)
    .setJti(randomUUID())
    .setIssuedAt(options.now)
    .setExpirationTime(options.now + TOKEN_SECONDS)
    .sign(signer.key)
}

/**
 * Verifies an access token as RFC 9068, section 4, requires. Throws unless the token is signed with EdDSA by a key of
 * the ring, has `typ` at+jwt, names our issuer and audience, and is within its lifetime.
 */
export async function verifyAccessToken(
  token: string,
  keys: KeyRing,
  options: TokenTerms & { now: number },
): Promise<TokenClaims> {
  // The server chooses the algorithm, never the token: this excludes `none`, and HMAC keyed with a public key (RFC
  // 8725, 3.1).
  const { kid = '' } = decodeProtectedHeader(token)
  const key = keys.verifiers.get(kid)
  if (!key) throw new Error('the token is not signed by a key of this service')
  const { payload } = await jwtVerify(token, key, {
    algorithms: ['EdDSA'],
    typ: 'at+jwt',
    issuer: options.issuer,
    audience: options.audience,
    currentDate: new Date(options.now * 1000),
    requiredClaims: ['exp', 'iat', 'sub', 'jti', 'client_id', 'client_uid'],
  })
  const { client_id: clientId, client_uid: clientUid, scope = '', client_credential: credential } = payload
  if (typeof clientId !== 'string' || typeof clientUid !== 'string' || typeof scope !== 'string') {
    throw new Error('the token has claims of the wrong type')
  }
  // A grant for machines never follows from a token that a user holds.
  if (payload.sub !== clientId) throw new Error('the sub of the token is not its client_id')
  return {
    kid,
    clientId,
    clientUid,
    scopes: scope.split(' ').filter(Boolean),
    expires: payload.exp as number,
    credential: typeof credential === 'string' ? credential : undefined,
  }
}
