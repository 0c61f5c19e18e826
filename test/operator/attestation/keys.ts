import { writeFileSync } from 'node:fs'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { signAttestation, type AttestationClaims } from '#rates/published/attestation.ts'

/** A new pair of keys that attests for one environment, as JWKs. */
export async function newKey(kid: string, environment: string, signsUntil?: string) {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { kty, crv, x, d } = await exportJWK(pair.privateKey)
  const jwk = { kty, crv, x, kid } as JWK
  return {
    ...{ kid, environment, key: pair.privateKey, publicKey: pair.publicKey },
    /** What a production operator is given. */
    trusted: { ...jwk, environment, ...(signsUntil !== undefined && { signsUntil }) },
    /** What a staging operator is given. */
    private: { ...jwk, d } as JWK,
  }
}

export type AttestingKey = Awaited<ReturnType<typeof newKey>>

/** Writes the private key to a file, as a mounted Secret has it. */
export function writeKey(file: string, { private: jwk }: AttestingKey): string {
  writeFileSync(file, JSON.stringify(jwk), { mode: 0o600 })
  return file
}

/** An attestation of these claims, signed ten seconds ago where nothing else is said. */
export function attested(
  key: AttestingKey,
  claims: Pick<AttestationClaims, 'pricingCode' | 'financialYear' | 'digest'> & Partial<AttestationClaims>,
): Promise<string> {
  const iat = Math.floor(Date.now() / 1000) - 10
  return signAttestation({ environment: key.environment, iat, ...claims }, key)
}
