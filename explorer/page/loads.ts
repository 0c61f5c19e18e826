/** Loads that run at the same time: those that hang leave the browser's other connections to the server free. */
const MOST = 2

/** Loads by name, each with a signal that ends it. */
export interface Loads {
  /** Starts a load as soon as another one has ended; of a name that is loaded already, nothing. */
  start: (name: string, load: (signal: AbortSignal) => Promise<void>) => void
  /** Ends every load with another name, and returns their names. */
  keepOnly: (names: ReadonlySet<string>) => string[]
}

/** Two loads at a time, the others in turn. */
export function createLoads(): Loads {
  const waiting = new Map<string, (signal: AbortSignal) => Promise<void>>()
  const running = new Map<string, AbortController>()
  const next = () => {
    for (const [name, load] of waiting) {
      if (running.size >= MOST) return
      waiting.delete(name)
      const control = new AbortController()
      running.set(name, control)
      void load(control.signal).finally(() => {
        if (running.get(name) === control) running.delete(name)
        next()
      })
    }
  }
  return {
    start: (name, load) => {
      if (!running.has(name)) waiting.set(name, load)
      next()
    },
    keepOnly: (names) => {
      const ended = [...waiting.keys(), ...running.keys()].filter((name) => !names.has(name))
      for (const name of ended) {
        running.get(name)?.abort()
        for (const each of [waiting, running]) each.delete(name)
      }
      next()
      return ended
    },
  }
}
