import { readFile } from 'node:fs/promises'
import { importJWK, type CryptoKey, type JWK } from 'jose'

/** A key that signs attestations, and its public part. */
export interface SigningKey {
  kid: string
  key: CryptoKey
  publicKey: CryptoKey
}

/** The private Ed25519 key in a file, a JWK with `kid`; throws, and never says what the file holds. */
export async function readSigningKey(file: string): Promise<SigningKey> {
  const text = await readFile(file, 'utf8')
  try {
    const { kid, kty, crv, x, d } = JSON.parse(text) as JWK
    if (kty !== 'OKP' || crv !== 'Ed25519' || !x || !d || !kid) throw new TypeError()
    const publicKey = (await importJWK({ kty, crv, x }, 'EdDSA')) as CryptoKey
    return { kid, key: (await importJWK({ kty, crv, x, d }, 'EdDSA')) as CryptoKey, publicKey }
  } catch {
    // The reason is left out: a parser quotes what it stumbles over, and that is the key.
    throw new Error(`${file} does not hold a private Ed25519 key as a JWK with kid`)
  }
}
