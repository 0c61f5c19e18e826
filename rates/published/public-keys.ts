import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { SigningKeys } from './format.ts'

/**
 * The public halves of the signing keys: ConfigMap `driveaway-public-keys`, `data['keys.json']`. A process that only
 * verifies reads these and no Secret; and when the Secret is lost, the tokens that its keys signed stay valid.
 */
export const PUBLIC_KEYS = 'driveaway-public-keys'
export const KEYS_KEY = 'keys.json'
const FORMAT = 1

export type SigningKey = SigningKeys['keys'][number]

/** The text to publish; of each key exactly the public members, whatever else it holds. */
export function encodePublicKeys(keys: readonly SigningKey[]): string {
  const published = keys.map(({ state, since, jwk }) => ({ state, since, jwk: publicHalf(jwk) }))
  return JSON.stringify({ formatVersion: FORMAT, keys: published })
}

/** Throws on a text that is none, of a format that is not known, or with anything private in it. */
export function parsePublicKeys(text: string): SigningKeys {
  const { formatVersion, keys } = JSON.parse(text) as { formatVersion?: unknown } & Partial<SigningKeys>
  if (formatVersion !== FORMAT) throw new Error(`${PUBLIC_KEYS}: format ${String(formatVersion)} is not known`)
  if (!Array.isArray(keys)) throw new Error(`${PUBLIC_KEYS}: expected a list of keys`)
  if (keys.some(({ jwk }) => 'd' in jwk)) throw new Error(`${PUBLIC_KEYS}: a private key is published`)
  return { keys }
}

/** A public Ed25519 JWK; throws on what is none. */
export function publicHalf({ kty, crv, x, kid }: Record<string, unknown>) {
  const isUsable = kty === 'OKP' && crv === 'Ed25519' && [kid, x].every((part) => typeof part === 'string' && part)
  if (!isUsable) throw new Error('a signing key is not an Ed25519 JWK with a kid')
  return { kty: 'OKP', crv: 'Ed25519', x: x as string, kid: kid as string, alg: 'EdDSA', use: 'sig' }
}

/** Whether the private half of a JWK is that of its public half: what a garbled key signs, nobody can verify. */
export function isWholeKey(jwk: Record<string, unknown>): boolean {
  try {
    return createPublicKey(createPrivateKey({ key: jwk, format: 'jwk' })).export({ format: 'jwk' }).x === jwk['x']
  } catch {
    return false
  }
}
