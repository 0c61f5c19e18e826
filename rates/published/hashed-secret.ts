import { createHash } from 'node:crypto'

/** A client secret as it is published: the hex SHA-256 of the salt's bytes and then the secret in UTF-8. */
export interface HashedSecret {
  /** Hex. */
  salt: string
  hash: string
}

/** Hashes a secret with a hex salt. */
export function hashSecret(secret: string, salt: string): HashedSecret {
  return { salt, hash: createHash('sha256').update(Buffer.from(salt, 'hex')).update(secret, 'utf8').digest('hex') }
}
