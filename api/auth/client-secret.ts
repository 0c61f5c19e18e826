import { timingSafeEqual } from 'node:crypto'
import { hashSecret, type HashedSecret } from '#rates/published/hashed-secret.ts'

// Compared when a client is unknown, so that the time taken does not tell which names exist.
const NOBODY: HashedSecret = { salt: '00'.repeat(16), hash: '00'.repeat(32) }

/** Whether `secret` is one of `hashed`; takes the same time wherever they differ and whichever matches. */
export function matchesSecret(secret: string, hashed: readonly HashedSecret[]): boolean {
  let matches = false
  for (const { salt, hash } of hashed.length > 0 ? hashed : [NOBODY]) {
    const expected = Buffer.from(hash, 'hex')
    const found = Buffer.from(hashSecret(secret, salt).hash, 'hex')
    if (expected.length === found.length && timingSafeEqual(expected, found)) matches = true
  }
  return matches && hashed.length > 0
}
