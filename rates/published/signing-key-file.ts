import { readFile } from 'node:fs/promises'
import { importJWK, type CryptoKey, type JWK } from 'jose'

/** A key that signs attestations, and its public part. */
export interface SigningKey {
  kid: string
  key: CryptoKey
  publicKey: CryptoKey
}

/** What a key file is for, as the command that makes it writes it into the file. */
export type KeyPurpose = 'attestation' | 'emergency' | 'release'

/**
 * The private Ed25519 key in a file, a JWK with `kid`; throws, also where the file says that it is for another purpose, and
 * never says what the file holds. A file that names no purpose is taken for any.
 */
export async function readSigningKey(file: string, purpose?: KeyPurpose): Promise<SigningKey> {
  const { marked, ...key } = await readMarkedKey(file)
  if (purpose !== undefined && marked !== undefined && marked !== purpose)
    throw new Error(`${file} holds a key for another purpose: expected ${purpose}`)
  return key
}

async function readMarkedKey(file: string): Promise<SigningKey & { marked?: unknown }> {
  const text = await readFile(file, 'utf8')
  try {
    const { kid, kty, crv, x, d, purpose } = JSON.parse(text) as JWK & { purpose?: unknown }
    if (kty !== 'OKP' || crv !== 'Ed25519' || !x || !d || !kid) throw new TypeError()
    const publicKey = (await importJWK({ kty, crv, x }, 'EdDSA')) as CryptoKey
    return { kid, key: (await importJWK({ kty, crv, x, d }, 'EdDSA')) as CryptoKey, publicKey, marked: purpose }
  } catch {
    // The reason is left out: a parser quotes what it stumbles over, and that is the key.
    throw new Error(`${file} does not hold a private Ed25519 key as a JWK with kid`)
  }
}
