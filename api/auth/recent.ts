/** A memory of bounded size that forgets what was not touched for longest. */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

/**
 * Makes a memory of the last entries, `limit` at most and at least half as many. It keeps two generations: deleting the oldest
 * entry of one full map, at each new one, takes V8 ever longer, because it passes over the places of all that went before.
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
