import type { Claims } from './authorize.ts'

export interface TokenMemory {
  /** What was verified of this very token, unless it has expired by `now` (seconds since the epoch). */
  recall(token: string, now: number): Claims | undefined
  remember(token: string, claims: Claims): void
}

/** Remembers verified tokens until they expire, the oldest forgotten first when there are more than `limit`. */
export function createTokenMemory(limit = 20_000): TokenMemory {
  const claimsOf = new Map<string, Claims>()
  return {
    recall: (token, now) => {
      const claims = claimsOf.get(token)
      if (claims === undefined || claims.expires > now) return claims
      claimsOf.delete(token)
      return undefined
    },
    remember: (token, claims) => {
      if (claimsOf.size >= limit) {
        const oldest = claimsOf.keys().next().value
        if (oldest !== undefined) claimsOf.delete(oldest)
      }
      claimsOf.set(token, claims)
    },
  }
}
