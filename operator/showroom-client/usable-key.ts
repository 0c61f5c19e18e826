import { createPublicKey } from 'node:crypto'

/** The algorithms for each key type or curve that the token endpoint accepts. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['EdDSA', 'Ed25519'],
  RSA: ['RS256', 'PS256'],
}
const LEAST_RSA_BITS = 2048

/**
 * Why no assertion can be verified with this key, which has the form of a JWK; undefined for a usable key. The schema
 * of the kind cannot check it: whether a point is on its curve takes arithmetic.
 */
export function keyFault(jwk: Record<string, unknown>): string | undefined {
  const fitting = ALGORITHMS[String(jwk['kty'] === 'RSA' ? 'RSA' : jwk['crv'])] ?? []
  const { alg } = jwk
  if (typeof alg === 'string' && !fitting.includes(alg)) return `alg ${alg} is not one of ${fitting.join(', ')}`
  try {
    const { modulusLength = LEAST_RSA_BITS } = createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyDetails ?? {}
    return modulusLength < LEAST_RSA_BITS ? `has ${modulusLength} bits; expected at least ${LEAST_RSA_BITS}` : undefined
  } catch {
    return 'is not a public key: its numbers are not a valid point or modulus'
  }
}
