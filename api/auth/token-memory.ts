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

/** Remembers the headers of verified tokens until they expire; at most the last `limit`. */
export function createTokenMemory(limit = 20_000): TokenMemory {
  const claimsOf = createRecent<Claims>(limit)
  return {
    recall: (authorization, now) => {
      const claims = claimsOf.get(authorization)
      if (claims === undefined || claims.expires > now) return claims
      claimsOf.delete(authorization)
      return undefined
    },
    remember: (authorization, claims) => claimsOf.set(authorization, claims),
  }
}
