/**
 * Break-glass: an emergency key attests content that staging has not attested. The emergency attestation names its
 * reason and its end, and stays in the annotation until an attestation of staging replaces it.
 */
import { CompactSign, compactVerify, decodeJwt, decodeProtectedHeader, type CryptoKey } from 'jose'
import { AttestationFault, checkContent, type Attested } from './attestation.ts'

/** The claims of an emergency attestation; times are in seconds since 1970. */
export interface EmergencyClaims extends Attested {
  /** Why production cannot wait for staging. */
  reason: string
  iat: number
  /**
   * After this time, the attestation publishes nothing more; what it published stays until something else is published.
   */
  exp: number
}

/** A key that may sign emergency attestations only. */
export interface EmergencyKey {
  kid: string
  key: CryptoKey
}

/** The keys that a cluster trusts in an emergency, and the current time. */
export interface EmergencyTrust {
  keys: readonly EmergencyKey[]
  /** Longest time from signature to end, in seconds. */
  longestSeconds: number
}

export interface ReadEmergency {
  kid: string
  claims: EmergencyClaims
}

export const LONGEST_REASON = 500
/**
 * Hours until the end of an emergency attestation: the most that the chart accepts, and the limit unless its values set
 * another.
 */
export const MOST_HOURS = 720
export const DEFAULT_MOST_HOURS = 72
const ALGORITHM = 'EdDSA'
const TYPE = 'driveaway-emergency+jwt'
/** Seconds by which the clocks of the signing person and of the cluster may differ. */
const SKEW = 60

/** Signs an emergency attestation: a compact JWS (RFC 7515) by an Ed25519 key. */
export function signEmergency(claims: EmergencyClaims, { kid, key }: EmergencyKey): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .sign(key)
}

/** Returns the claims of an emergency attestation without verifying its signature; undefined for any other text. */
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

/** Throws AttestationFault with the first reason when an emergency attestation is not valid for this content now. */
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

/** Formats seconds since 1970 as ISO. */
export const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
