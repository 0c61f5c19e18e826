/** How large the entries of each client are that a process admitted last, for each store by its name. */
export interface EntrySizes {
  add(client: string, store: string, admitted: { entries: number; bytes: number }): void
  /**
   * Bytes of so many entries of a client. Those that this process admitted last count with their size, and all others as
   * average ones.
   */
  bytesOf(client: string, store: string, stored: { entries: number; average: number }): number
}

/** Clients times stores; beyond these, whoever uploaded longest ago counts with average entries again. */
const MOST_KNOWN = 30_000

export function createEntrySizes(): EntrySizes {
  const known = new Map<string, { entries: number; bytes: number }>()
  const keyOf = (client: string, store: string) => `${store} ${client}`
  return {
    add: (client, store, { entries, bytes }) => {
      const key = keyOf(client, store)
      const before = known.get(key)
      known.delete(key)
      known.set(key, { entries: (before?.entries ?? 0) + entries, bytes: (before?.bytes ?? 0) + bytes })
      if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!)
    },
    bytesOf: (client, store, { entries, average }) => {
      const key = keyOf(client, store)
      const admitted = known.get(key)
      if (!admitted) return entries * average
      if (admitted.entries <= entries) return admitted.bytes + (entries - admitted.entries) * average
      // Later uploads replaced earlier ones: no more are stored than these, and the last ones weigh the most.
      const present = { entries, bytes: admitted.bytes * (entries / admitted.entries) }
      known.set(key, present)
      return present.bytes
    },
  }
}
