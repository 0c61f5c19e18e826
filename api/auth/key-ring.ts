import { importJWK, type CryptoKey, type JWK } from 'jose'
import type { SigningKeys } from '#rates/published/format.ts'
import { isWholeKey, publicHalf } from '#rates/published/public-keys.ts'

/** The signing keys at one moment: all of them verify, `current` signs. */
export interface KeyRing {
  /** Undefined while no key is current, and in a process that only verifies tokens. */
  signer: { kid: string; key: CryptoKey } | undefined
  /** The kid of the key that signs now, in this process or another; a ring without one is incomplete. */
  current: string | undefined
  verifiers: ReadonlyMap<string, CryptoKey>
  /** What `/oauth/jwks` answers. */
  publicKeys: { keys: JWK[] }
}

/**
 * Imports private signing keys. Throws for a key that is incomplete or not Ed25519, a repeated kid, or more than one
 * current key.
 */
export async function importKeyRing(signingKeys: SigningKeys): Promise<KeyRing> {
  const ring = await importPublicKeys(signingKeys)
  let signer: KeyRing['signer']
  for (const { jwk } of signingKeys.keys) {
    const { d } = jwk
    if (typeof d !== 'string' || d === '') throw new Error('a signing key has no private part')
    const published = publicHalf(jwk)
    if (!isWholeKey(jwk)) throw new Error('the private and the public part of a signing key do not belong together')
    if (published.kid !== ring.current) continue
    signer = { kid: published.kid, key: (await importJWK({ ...published, d }, 'EdDSA')) as CryptoKey }
  }
  return Object.freeze({ ...ring, signer })
}

/** Imports public keys: the ring verifies and never signs. */
export async function importPublicKeys({ keys }: SigningKeys): Promise<KeyRing> {
  const verifiers = new Map<string, CryptoKey>()
  const publicKeys: JWK[] = []
  let current: string | undefined
  for (const { state, jwk } of keys) {
    const published = publicHalf(jwk)
    const { kid } = published
    if (verifiers.has(kid)) throw new Error(`two signing keys have the kid ${kid}`)
    verifiers.set(kid, (await importJWK(published, 'EdDSA')) as CryptoKey)
    publicKeys.push(published)
    if (state !== 'current') continue
    if (current !== undefined) throw new Error('two signing keys are current')
    current = kid
  }
  return Object.freeze({ signer: undefined, current, verifiers, publicKeys: { keys: publicKeys } })
}

/** A ring that also verifies with the keys of another ring; the first ring decides which key signs. */
export function withVerifiers(ring: KeyRing, other: KeyRing | undefined): KeyRing {
  if (!other) return ring
  const added = other.publicKeys.keys.filter(({ kid = '' }) => !ring.verifiers.has(kid))
  return Object.freeze({
    ...ring,
    verifiers: new Map([...other.verifiers, ...ring.verifiers]),
    publicKeys: { keys: [...ring.publicKeys.keys, ...added] },
  })
}

/**
 * The ring to use once `next` arrives. A ring without a current key does not replace one that has a current key: its
 * keys are added as verifiers, which the operator waits for, and the old key signs until a complete ring arrives.
 */
export function succeeding(current: KeyRing | undefined, next: KeyRing): KeyRing {
  return current?.current === undefined || next.current !== undefined ? next : withVerifiers(current, next)
}

/** The ring before any private key has arrived. */
export const NO_KEYS: KeyRing = Object.freeze({
  signer: undefined,
  current: undefined,
  verifiers: new Map<string, CryptoKey>(),
  publicKeys: { keys: [] },
})
