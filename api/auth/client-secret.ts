import { timingSafeEqual } from 'node:crypto'
import { hashSecret, type HashedSecret } from '#rates/published/hashed-secret.ts'

// Compared with when the client is unknown, so that the response time does not reveal which clients exist.
const NOBODY: HashedSecret = { salt: '00'.repeat(16), hash: '00'.repeat(32) }

/**
 * The entry of `hashed` that `secret` matches, if any. The time taken does not depend on which entry matches or where
 * they differ.
 */
export function matchingSecret(secret: string, hashed: readonly HashedSecret[]): HashedSecret | undefined {
  let matching: HashedSecret | undefined
  for (const candidate of hashed.length > 0 ? hashed : [NOBODY]) {
    const expected = Buffer.from(candidate.hash, 'hex')
    const found = Buffer.from(hashSecret(secret, candidate.salt).hash, 'hex')
    if (expected.length === found.length && timingSafeEqual(expected, found)) matching = candidate
  }
  return hashed.length > 0 ? matching : undefined
}
