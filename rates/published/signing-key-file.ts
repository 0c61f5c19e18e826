import { readFile } from 'node:fs/promises'
import { importJWK, type CryptoKey, type JWK } from 'jose'

/** A key that signs attestations, and its public half. */
export interface SigningKey {
  kid: string
  key: CryptoKey
  publicKey: CryptoKey
}

/** The purpose of a key file; the command that creates the file writes it into the file. */
export type KeyPurpose = 'attestation' | 'emergency' | 'release'

/**
 * Reads the private Ed25519 key of a file, a JWK with `kid`. Throws when there is none, and when the file states
 * another purpose; the error never contains the content of the file. A file that states no purpose is accepted for any.
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
    // No cause is given: a parser quotes the text that it cannot parse, which is the key.
    throw new Error(`${file} does not hold a private Ed25519 key as a JWK with kid`)
  }
}
