/** A bounded memory that forgets the entries which were unused for longest. */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

/**
 * Creates a memory of the most recent entries: at most `limit`, at least half as many. The memory has two generations.
 * Deleting the oldest entry of one full map at each insertion becomes slower and slower in V8, which skips over the
 * slots of all entries deleted before.
 */
export function createRecent<Value>(limit: number): Recent<Value> {
  let younger = new Map<string, Value>()
  let older = new Map<string, Value>()
  const set = (key: string, value: Value) => {
    if (younger.size >= limit / 2 && !younger.has(key)) [younger, older] = [new Map(), younger]
    younger.set(key, value)
  }
  return {
    set,
    get: (key) => {
      const young = younger.get(key)
      if (young !== undefined) return young
      const old = older.get(key)
      if (old !== undefined) set(key, old)
      return old
    },
    delete: (key) => {
      younger.delete(key)
      older.delete(key)
    },
  }
}
