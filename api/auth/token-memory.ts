import type { Claims } from './authorize.ts'

export interface TokenMemory {
  /** What was verified of this very Authorization header, unless its token has expired by `now` (seconds since the epoch). */
  recall(authorization: string, now: number): Claims | undefined
  remember(authorization: string, claims: Claims): void
}

/** Remembers the headers of verified tokens until these expire, the oldest forgotten first when there are more than `limit`. */
export function createTokenMemory(limit = 20_000): TokenMemory {
  const claimsOf = new Map<string, Claims>()
  return {
    recall: (authorization, now) => {
      const claims = claimsOf.get(authorization)
      if (claims === undefined || claims.expires > now) return claims
      claimsOf.delete(authorization)
      return undefined
    },
    remember: (authorization, claims) => {
      if (claimsOf.size >= limit) {
        const oldest = claimsOf.keys().next().value
        if (oldest !== undefined) claimsOf.delete(oldest)
      }
      claimsOf.set(authorization, claims)
    },
  }
}
