import { createHash, timingSafeEqual } from 'node:crypto'

/** A client secret as it is published: the hex SHA-256 of the salt's bytes and then the secret in UTF-8. */
export interface HashedSecret {
  salt: string
  hash: string
}

/** Hashes a secret with a hex salt. */
export function hashSecret(secret: string, salt: string): HashedSecret {
  return { salt, hash: digest(secret, salt).toString('hex') }
}

// Compared when a client is unknown, so that the time taken does not tell which names exist.
const NOBODY: HashedSecret = { salt: '00'.repeat(16), hash: '00'.repeat(32) }

/** Whether `secret` is one of `hashed`; takes the same time wherever they differ and whichever matches. */
export function matchesSecret(secret: string, hashed: readonly HashedSecret[]): boolean {
  let matches = false
  for (const { salt, hash } of hashed.length > 0 ? hashed : [NOBODY]) {
    const expected = Buffer.from(hash, 'hex')
    const found = digest(secret, salt)
    if (expected.length === found.length && timingSafeEqual(expected, found)) matches = true
  }
  return matches && hashed.length > 0
}

function digest(secret: string, salt: string): Buffer {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(secret, 'utf8').digest()
}
