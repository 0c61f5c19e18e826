import { createHash } from 'node:crypto'

/** A client secret as published: the hex SHA-256 of the bytes of the salt followed by the secret as UTF-8. */
export interface HashedSecret {
  /** The salt, in hex. */
  salt: string
  hash: string
}

/** Hashes a secret with a salt in hex. */
export function hashSecret(secret: string, salt: string): HashedSecret {
  return { salt, hash: createHash('sha256').update(Buffer.from(salt, 'hex')).update(secret, 'utf8').digest('hex') }
}
