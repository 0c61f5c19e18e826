import { importJWK, type CryptoKey, type JWK } from 'jose'
import type { SigningKeys } from '#rates/published/format.ts'

/** The signing keys of one moment: all verify, `current` signs. */
export interface KeyRing {
  /** Undefined while no key is current. */
  signer: { kid: string; key: CryptoKey } | undefined
  verifiers: ReadonlyMap<string, CryptoKey>
  /** What `/oauth/jwks` answers. */
  publicKeys: { keys: JWK[] }
}

/** Imports the operator's signing keys; throws on a key that is not Ed25519, a kid used twice, or more than one current. */
export async function importKeyRing(signingKeys: SigningKeys): Promise<KeyRing> {
  const verifiers = new Map<string, CryptoKey>()
  const publicKeys: JWK[] = []
  let signer: KeyRing['signer']
  for (const { state, jwk } of signingKeys.keys) {
    const key = privateKey(jwk)
    if (verifiers.has(key.kid)) throw new Error(`two signing keys have the kid ${key.kid}`)
    const published = { kty: 'OKP', crv: 'Ed25519', x: key.x, kid: key.kid, alg: 'EdDSA', use: 'sig' }
    verifiers.set(key.kid, (await importJWK(published, 'EdDSA')) as CryptoKey)
    publicKeys.push(published)
    if (state !== 'current') continue
    if (signer) throw new Error('two signing keys are current')
    signer = { kid: key.kid, key: (await importJWK({ ...published, d: key.d }, 'EdDSA')) as CryptoKey }
  }
  return Object.freeze({ signer, verifiers, publicKeys: { keys: publicKeys } })
}

function privateKey(jwk: Record<string, unknown>): { kid: string; x: string; d: string } {
  const { kty, crv, kid, x, d } = jwk
  const usable =
    kty === 'OKP' && crv === 'Ed25519' && [kid, x, d].every((part) => typeof part === 'string' && part !== '')
  if (!usable) throw new Error('a signing key is not a private Ed25519 JWK with a kid')
  return { kid: kid as string, x: x as string, d: d as string }
}
