import { createPublicKey } from 'node:crypto'
import { isWholeKey, publicHalf } from '#rates/published/public-keys.ts'
import type { SigningKey } from './ring.ts'

const STATES: readonly unknown[] = ['next', 'current', 'previous']
/** Clocks differ, but not by so much: such a key would wait for its turn for ever. */
const MOST_AHEAD_MS = 86_400_000

/** The keys that can be used, and the places of the others; a key of a kid or of a state that stands once comes first. */
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

/** Whether a private key is whole, and signs what its public half verifies: a garbled half makes tokens that all refuse. */
export function isUsablePrivate(key: SigningKey, now: Date): boolean {
  return isUsablePublic(key, now) && isWholeKey(key.jwk)
}

/** Whether a public key can verify anything, and has a time from which its age counts. */
export function isUsablePublic({ since, jwk }: SigningKey, now: Date): boolean {
  // NaN is not below anything: such a key would never grow old.
  if (!(Date.parse(since) < now.getTime() + MOST_AHEAD_MS)) return false
  try {
    return createPublicKey({ key: publicHalf(jwk), format: 'jwk' }).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}
