import { createPublicKey } from 'node:crypto'
import { isWholeKey, publicHalf } from '#rates/published/public-keys.ts'
import type { SigningKey } from './ring.ts'

const STATES: readonly unknown[] = ['next', 'current', 'previous']
/**
 * Largest difference between clocks that is accepted, in milliseconds; a key dated further ahead would never become
 * due.
 */
const MOST_AHEAD_MS = 86_400_000

/**
 * The usable keys and the positions of the others. Of keys that share a kid, or a state that only one key may have, the
 * first is usable.
 */
export function sorted(keys: readonly unknown[], isUsable: (key: SigningKey) => boolean) {
  const usable: SigningKey[] = []
  const refused: number[] = []
  for (const [at, key] of keys.entries()) {
    if (isKey(key) && isUsable(key) && !repeats(key, usable)) usable.push(key)
    else refused.push(at)
  }
  return { usable, refused }
}

function isKey(key: unknown): key is SigningKey {
  if (typeof key !== 'object' || key === null) return false
  const { state, since, jwk } = key as Partial<Record<keyof SigningKey, unknown>>
  return STATES.includes(state) && typeof since === 'string' && typeof jwk === 'object' && jwk !== null
}

/** A second current or next key would never be promoted or retired. */
const repeats = ({ state, jwk }: SigningKey, before: readonly SigningKey[]) =>
  before.some((each) => each.jwk['kid'] === jwk['kid'] || (state !== 'previous' && each.state === state))

/**
 * Whether a private key is complete and its public half verifies what it signs; tokens of a damaged key would be
 * refused everywhere.
 */
export function isUsablePrivate(key: SigningKey, now: Date): boolean {
  return isUsablePublic(key, now) && isWholeKey(key.jwk)
}

/** Whether a public key can verify tokens and has a valid start time. */
export function isUsablePublic({ since, jwk }: SigningKey, now: Date): boolean {
  // Written so that NaN is refused: a key without a valid time would never expire.
  if (!(Date.parse(since) < now.getTime() + MOST_AHEAD_MS)) return false
  try {
    return createPublicKey({ key: publicHalf(jwk), format: 'jwk' }).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}
