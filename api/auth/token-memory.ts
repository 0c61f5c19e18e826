import type { Claims } from './authorize.ts'
import { createRecent } from './recent.ts'

export interface TokenMemory {
  /**
   * The claims verified for this exact Authorization header, unless its token has expired by `now` (seconds since the
   * epoch).
   */
  recall(authorization: string, now: number): Claims | undefined
  remember(authorization: string, claims: Claims): void
}

interface Verified {
  authorization: string
  claims: Claims
}

/** Characters at the end of a header by which it is looked for; they are part of its signature. */
const KEY_LENGTH = 64

/** Remembers the headers of verified tokens until they expire; at most the last `limit`. */
export function createTokenMemory(limit = 20_000): TokenMemory {
  const verified = createRecent<Verified>(limit)
  return {
    recall: (authorization, now) => {
      const key = keyOf(authorization)
      const found = verified.get(key)
      if (found?.authorization !== authorization) return undefined
      if (found.claims.expires > now) return found.claims
      verified.delete(key)
      return undefined
    },
    remember: (authorization, claims) => verified.set(keyOf(authorization), { authorization, claims }),
  }
}

/** The end of a header: a map hashes its key, and hashing all 700 characters takes ten times as long as comparing them. */
const keyOf = (authorization: string) => authorization.slice(-KEY_LENGTH)
