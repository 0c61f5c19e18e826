import { CompactSign, compactVerify, decodeJwt, decodeProtectedHeader, type CryptoKey } from 'jose'

/** The annotation of a RateSet that carries staging's attestation into another cluster. */
export const ATTESTATION_ANNOTATION = 'rates.driveaway.dev/attestation'

/** What an attestation is about: one content of one rate set. */
export interface Attested {
  pricingCode: string
  financialYear: string
  /** The attested digest, `sha256:<hex>`. */
  digest: string
}

/**
 * What an attestation says. The statement is about content and does not expire: an `exp`, which attestations of the first
 * version carry, means nothing.
 */
export interface AttestationClaims extends Attested {
  /** Where the digest was published and served. */
  environment: string
  /** When it was signed, in seconds since 1970. */
  iat: number
}

/** A key that attests, and the only environment that it may speak for. */
export interface TrustedKey {
  kid: string
  environment: string
  key: CryptoKey
  /** The last day, in UTC, on which the key signs; what the key signed until then counts for ever. */
  signsUntil?: string
}

/** Whom a cluster believes, and when. */
export interface Trust {
  keys: readonly TrustedKey[]
  /** The environments whose attestations count. */
  environments: readonly string[]
  now: Date
}

/** An attestation does not hold for what is asked; the message says why, for people. */
export class AttestationFault extends Error {
  override name = 'AttestationFault'
}

/** Seconds that the clocks of two clusters may differ. */
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
 * What an attestation says, and by which key, where it holds for exactly this content now; throws AttestationFault with
 * the first reason why not.
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

/** What an attestation says of itself, its signature not looked at; throws AttestationFault where it is none. */
export function readAttestation(token: string): ReadAttestation {
  try {
    const { kid, typ } = decodeProtectedHeader(token)
    const claims = decodeJwt<AttestationClaims>(token)
    const texts = [kid, claims.environment, claims.pricingCode, claims.financialYear, claims.digest]
    const isWhole = texts.every((each) => typeof each === 'string') && Number.isInteger(claims.iat)
    if (typ === TYPE && isWhole) return { kid: kid as string, claims }
  } catch {
    // What is not a signed token at all, and one that says something else, are refused alike.
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

/** Throws AttestationFault where something is said of another content than the wanted one. */
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
