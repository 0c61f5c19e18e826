import { CompactSign, compactVerify, decodeJwt, decodeProtectedHeader, type CryptoKey } from 'jose'

/** The annotation of a RateSet that carries staging's attestation into another cluster. */
export const ATTESTATION_ANNOTATION = 'rates.driveaway.dev/attestation'

/** The subject of an attestation: one content of one rate set. */
export interface Attested {
  pricingCode: string
  financialYear: string
  /** The attested digest, `sha256:<hex>`. */
  digest: string
}

/**
 * The claims of an attestation. It is about content and does not expire: the `exp` that attestations of the first
 * version carry has no effect.
 */
export interface AttestationClaims extends Attested {
  /** Where the digest was published and served. */
  environment: string
  /** When it was signed, in seconds since 1970. */
  iat: number
}

/** A key that attests, and the only environment for which it may attest. */
export interface TrustedKey {
  kid: string
  environment: string
  key: CryptoKey
  /** The last day, in UTC, on which the key signs; what it signed until then stays valid for ever. */
  signsUntil?: string
}

/** The keys and environments that a cluster trusts, and the current time. */
export interface Trust {
  keys: readonly TrustedKey[]
  /** The environments whose attestations are accepted. */
  environments: readonly string[]
  now: Date
}

/** Thrown when an attestation is not valid for the content; the message says why, for people. */
export class AttestationFault extends Error {
  override name = 'AttestationFault'
}

/** Seconds by which the clocks of two clusters may differ. */
const SKEW = 60
const ALGORITHM = 'EdDSA'
const TYPE = 'driveaway-attestation+jwt'

/** Signs an attestation: a compact JWS (RFC 7515) by an Ed25519 key. */
export function signAttestation(claims: AttestationClaims, { kid, key }: Omit<TrustedKey, 'environment'>) {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .sign(key)
}

/**
 * Returns the claims and key of an attestation that is valid for exactly this content now; throws AttestationFault with
 * the first reason when it is not.
 */
export async function verifyAttestation(token: string, content: Attested, trust: Trust): Promise<ReadAttestation> {
  const { kid, claims } = readAttestation(token)
  const trusted = trust.keys.find((each) => each.kid === kid)
  if (!trusted) {
    const known = trust.keys.map((each) => each.kid).join(', ') || 'no key'
    throw new AttestationFault(`the attestation is signed by key ${kid}, which is not trusted; trusted: ${known}`)
  }
  try {
    await compactVerify(token, trusted.key, { algorithms: [ALGORITHM] })
  } catch (cause) {
    throw new AttestationFault(`the signature of the attestation is not by key ${kid}`, { cause })
  }
  isOfEnvironment(claims, trusted, trust.environments)
  checkContent(claims, content)
  isInTime(claims, trusted, trust.now)
  return { kid, claims }
}

export interface ReadAttestation {
  kid: string
  claims: AttestationClaims
}

/**
 * Returns the claims of an attestation without verifying its signature; throws AttestationFault when the text is not an
 * attestation.
 */
export function readAttestation(token: string): ReadAttestation {
  try {
    const { kid, typ } = decodeProtectedHeader(token)
    const claims = decodeJwt<AttestationClaims>(token)
    const texts = [kid, claims.environment, claims.pricingCode, claims.financialYear, claims.digest]
    const isWhole = texts.every((each) => typeof each === 'string') && Number.isInteger(claims.iat)
    if (typ === TYPE && isWhole) return { kid: kid as string, claims }
  } catch {
    // A text that is not a signed token and a token with other claims are refused in the same way.
  }
  throw new AttestationFault('this is not an attestation: expected a compact JWS as staging writes it')
}

function isOfEnvironment({ environment }: AttestationClaims, { kid, ...key }: TrustedKey, counting: readonly string[]) {
  if (environment !== key.environment)
    throw new AttestationFault(
      `the attestation is of environment ${environment}, but key ${kid} may speak for ${key.environment} only`,
    )
  if (!counting.includes(environment))
    throw new AttestationFault(
      `the attestation is of environment ${environment}; this environment accepts attestations of ${counting.join(', ')}`,
    )
}

/** Throws AttestationFault when the claims are about another content than the expected one. */
export function checkContent(claims: Attested, content: Attested): void {
  if (claims.pricingCode !== content.pricingCode || claims.financialYear !== content.financialYear)
    throw new AttestationFault(
      `the attestation is of ${claims.pricingCode} ${claims.financialYear}, not of ${content.pricingCode} ${content.financialYear}`,
    )
  if (claims.digest !== content.digest)
    throw new AttestationFault(`the attestation is of ${claims.digest}, not of ${content.digest}`)
}

function isInTime({ iat }: AttestationClaims, { kid, signsUntil }: TrustedKey, now: Date): void {
  if (signsUntil !== undefined && at(iat).slice(0, 10) > signsUntil)
    throw new AttestationFault(
      `the attestation was signed at ${at(iat)}, but key ${kid} signs until ${signsUntil} only`,
    )
  if (iat > now.getTime() / 1000 + SKEW)
    throw new AttestationFault(`the attestation was issued at ${at(iat)}, but the time here is ${now.toISOString()}`)
}

function at(seconds: number): string {
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? `${seconds} seconds` : time.toISOString()
}
