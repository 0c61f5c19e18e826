import { timingSafeEqual } from 'node:crypto'
import { hashSecret, type HashedSecret } from '#rates/published/hashed-secret.ts'

// Compared when a client is unknown, so that the time taken does not tell which names exist.
const NOBODY: HashedSecret = { salt: '00'.repeat(16), hash: '00'.repeat(32) }

/** The one of `hashed` that `secret` is, if any; takes the same time wherever they differ and whichever matches. */
export function matchingSecret(secret: string, hashed: readonly HashedSecret[]): HashedSecret | undefined {
  let matching: HashedSecret | undefined
  for (const candidate of hashed.length > 0 ? hashed : [NOBODY]) {
    const expected = Buffer.from(candidate.hash, 'hex')
    const found = Buffer.from(hashSecret(secret, candidate.salt).hash, 'hex')
    if (expected.length === found.length && timingSafeEqual(expected, found)) matching = candidate
  }
  return hashed.length > 0 ? matching : undefined
}
