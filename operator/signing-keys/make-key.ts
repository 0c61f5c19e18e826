import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'

/** A new private Ed25519 JWK; its kid is its thumbprint (RFC 7638). */
export async function makeSigningKey(): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' }
}
