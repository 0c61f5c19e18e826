import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { SigningKeys } from './format.ts'

/**
 * The public halves of the signing keys: ConfigMap `driveaway-public-keys`, `data['keys.json']`. A process that only
 * verifies reads this ConfigMap instead of a Secret; and tokens stay valid when the Secret with the private keys is
 * lost.
 */
export const PUBLIC_KEYS = 'driveaway-public-keys'
export const KEYS_KEY = 'keys.json'
const FORMAT = 1

export type SigningKey = SigningKeys['keys'][number]

/** The text to publish, with exactly the public members of each key. */
export function encodePublicKeys(keys: readonly SigningKey[]): string {
  const published = keys.map(({ state, since, jwk }) => ({ state, since, jwk: publicHalf(jwk) }))
  return JSON.stringify({ formatVersion: FORMAT, keys: published })
}

/** Parses such a text; throws when it is not one, has an unknown format, or contains anything private. */
export function parsePublicKeys(text: string): SigningKeys {
  const { formatVersion, keys } = JSON.parse(text) as { formatVersion?: unknown } & Partial<SigningKeys>
  if (formatVersion !== FORMAT) throw new Error(`${PUBLIC_KEYS}: format ${String(formatVersion)} is not known`)
  if (!Array.isArray(keys)) throw new Error(`${PUBLIC_KEYS}: expected a list of keys`)
  if (keys.some(({ jwk }) => 'd' in jwk)) throw new Error(`${PUBLIC_KEYS}: a private key is published`)
  return { keys }
}

/** A public Ed25519 JWK; throws for any other key. */
export function publicHalf({ kty, crv, x, kid }: Record<string, unknown>) {
  const isUsable = kty === 'OKP' && crv === 'Ed25519' && [kid, x].every((part) => typeof part === 'string' && part)
  if (!isUsable) throw new Error('a signing key is not an Ed25519 JWK with a kid')
  return { kty: 'OKP', crv: 'Ed25519', x: x as string, kid: kid as string, alg: 'EdDSA', use: 'sig' }
}

/** Whether the private half of a JWK belongs to its public half: nobody can verify what a garbled key signs. */
export function isWholeKey(jwk: Record<string, unknown>): boolean {
  try {
    return createPublicKey(createPrivateKey({ key: jwk, format: 'jwk' })).export({ format: 'jwk' }).x === jwk['x']
  } catch {
    return false
  }
}
