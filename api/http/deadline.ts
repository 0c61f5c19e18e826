/** One entry that waits for its deadline. */
interface Waiting {
  due: number
  expire: () => void
}

export interface Deadline {
  /** Calls `expire` at the deadline unless the returned entry is removed before. */
  add(expire: () => void): object
  remove(entry: object): void
}

/** One timer for all entries of the same duration: a timer per request costs more than checking its token. */
export function createDeadline(ms: number): Deadline {
  // In the order of their deadlines, because all entries wait equally long.
  const waiting = new Set<object>()
  let timer: NodeJS.Timeout | undefined
  const sweep = () => {
    timer = undefined
    const now = performance.now()
    for (const each of waiting as Set<Waiting>) {
      if (each.due > now) return arm(each.due - now)
      waiting.delete(each)
      each.expire()
    }
  }
  const arm = (afterMs: number) => {
    timer = setTimeout(sweep, Math.ceil(afterMs)).unref()
  }
  return {
    add: (expire) => {
      const entry: Waiting = { due: performance.now() + ms, expire }
      waiting.add(entry)
      if (timer === undefined) arm(ms)
      return entry
    },
    remove: (entry) => void waiting.delete(entry),
  }
}
