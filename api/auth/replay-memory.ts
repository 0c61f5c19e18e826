/** Remembers, in this process, the identifiers of client assertions until they expire. */
export interface ReplayMemory {
  /** Returns false when this client has used this `jti` before; times in seconds since the epoch. */
  recordUse(clientId: string, jti: string, times: { expires: number; now: number }): boolean
}

/** Assertions live a minute at most, so expired ones are swept once the memory has grown. */
export function createReplayMemory(sweepAt = 10_000): ReplayMemory {
  const expiryOf = new Map<string, number>()
  let nextSweep = sweepAt
  const sweep = (now: number) => {
    for (const [id, expires] of expiryOf) if (expires <= now) expiryOf.delete(id)
    nextSweep = Math.max(sweepAt, expiryOf.size * 2)
  }
  return {
    recordUse: (clientId, jti, { expires, now }) => {
      if (expiryOf.size >= nextSweep) sweep(now)
      const id = JSON.stringify([clientId, jti])
      const known = expiryOf.get(id)
      if (known !== undefined && known > now) return false
      expiryOf.set(id, expires)
      return true
    },
  }
}
