/**
 * Break-glass: an emergency key attests content that staging has not attested. The emergency attestation names its reason and
 * its end, and stays in the annotation until an attestation of staging replaces it.
 */
import { CompactSign, compactVerify, decodeJwt, decodeProtectedHeader, type CryptoKey } from 'jose'
import { AttestationFault, checkContent, type Attested } from './attestation.ts'

/** What an emergency attestation says; times in seconds since 1970. */
export interface EmergencyClaims extends Attested {
  /** Why production does not wait for staging. */
  reason: string
  iat: number
  /** From then on, it publishes nothing any more; what it published stays until something else is published. */
  exp: number
}

/** A key that may sign emergencies, and nothing else. */
export interface EmergencyKey {
  kid: string
  key: CryptoKey
}

/** Whom a cluster believes in an emergency. */
export interface EmergencyTrust {
  keys: readonly EmergencyKey[]
  /** Seconds from signature to end, at most. */
  longestSeconds: number
}

export interface ReadEmergency {
  kid: string
  claims: EmergencyClaims
}

export const LONGEST_REASON = 500
/** Hours to the end that the chart lets a production accept: at most, and unless its values say otherwise. */
export const MOST_HOURS = 720
export const DEFAULT_MOST_HOURS = 72
const ALGORITHM = 'EdDSA'
const TYPE = 'driveaway-emergency+jwt'
/** Seconds that the clocks of the person who signs and of the cluster may differ. */
const SKEW = 60

/** Signs an emergency attestation: a compact JWS (RFC 7515) by an Ed25519 key. */
export function signEmergency(claims: EmergencyClaims, { kid, key }: EmergencyKey): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .sign(key)
}

/** What an emergency attestation says of itself, its signature not looked at; undefined where it is another text. */
export function readEmergency(token: string): ReadEmergency | undefined {
  try {
    const { kid, typ } = decodeProtectedHeader(token)
    const claims = decodeJwt<EmergencyClaims>(token)
    const texts = [kid, claims.pricingCode, claims.financialYear, claims.digest, claims.reason]
    const isWhole = texts.every((each) => typeof each === 'string' && each !== '')
    const hasTimes = Number.isInteger(claims.iat) && Number.isInteger(claims.exp)
    return typ === TYPE && isWhole && hasTimes ? { kid: kid as string, claims } : undefined
  } catch {
    return undefined
  }
}

/** Throws AttestationFault with the first reason why an emergency attestation does not hold for this content now. */
export async function verifyEmergency(
  token: string,
  { kid, claims }: ReadEmergency,
  content: Attested,
  trust: EmergencyTrust & { now: Date },
): Promise<void> {
  const trusted = trust.keys.find((each) => each.kid === kid)
  if (!trusted) throw new AttestationFault(`the emergency attestation is signed by key ${kid}, which is not trusted`)
  try {
    await compactVerify(token, trusted.key, { algorithms: [ALGORITHM] })
  } catch (cause) {
    throw new AttestationFault(`the signature of the emergency attestation is not by key ${kid}`, { cause })
  }
  checkContent(claims, content)
  const { iat, exp, reason } = claims
  const seconds = trust.now.getTime() / 1000
  if (exp - iat > trust.longestSeconds)
    throw new AttestationFault(`the emergency attestation is for more than ${trust.longestSeconds / 3600} hours`)
  if (iat > seconds + SKEW)
    throw new AttestationFault(`the emergency attestation was issued after ${trust.now.toISOString()}`)
  if (exp <= seconds) throw new AttestationFault(`the emergency attestation ended at ${timeOf(exp)}`)
  if (reason.length > LONGEST_REASON)
    throw new AttestationFault(`the reason of the emergency attestation has more than ${LONGEST_REASON} characters`)
}

/** ISO, of seconds since 1970 that a signature vouches for. */
export const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
