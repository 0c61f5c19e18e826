/** Entries, and their bytes together. */
export interface Entries {
  entries: number
  bytes: number
}

/** How large the entries of each client are that a process admitted last, for each store by its name. */
export interface EntrySizes {
  add(client: string, store: string, admitted: Entries): void
  /**
   * Bytes of so many entries of a client. Those that this process admitted last count with their size, but for those of them that
   * wait and are not among these entries; all others count as average ones.
   */
  bytesOf(client: string, store: string, stored: Stored): number
}

export interface Stored {
  entries: number
  average: number
  waiting?: Entries
}

/** Clients times stores; beyond these, whoever uploaded longest ago counts with average entries again. */
const MOST_KNOWN = 30_000

const NONE: Entries = { entries: 0, bytes: 0 }

export function createEntrySizes(): EntrySizes {
  const known = new Map<string, Entries>()
  const keyOf = (client: string, store: string) => `${store} ${client}`
  return {
    add: (client, store, { entries, bytes }) => {
      const key = keyOf(client, store)
      const before = known.get(key)
      known.delete(key)
      known.set(key, { entries: (before?.entries ?? 0) + entries, bytes: (before?.bytes ?? 0) + bytes })
      if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!)
    },
    bytesOf: (client, store, { entries, average, waiting = NONE }) => {
      const key = keyOf(client, store)
      const admitted = known.get(key)
      if (!admitted) return entries * average
      const done = Math.max(0, admitted.entries - waiting.entries)
      const bytes = Math.max(0, admitted.bytes - waiting.bytes)
      if (done <= entries) return bytes + (entries - done) * average
      // Later uploads replaced earlier ones: no more are stored than these, and the last ones weigh the most.
      const present = bytes * (entries / done)
      known.set(key, { entries: entries + waiting.entries, bytes: present + waiting.bytes })
      return present
    },
  }
}
