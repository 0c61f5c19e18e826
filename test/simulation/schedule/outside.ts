import { createHook } from 'node:async_hooks'

/**
 * What no seed decides is noticed: a timer, a thread, a file or a socket that a program waits for, the time of day and
 * chance. One use of it can change what happens in the same seed, once in a hundred runs on a loaded machine.
 */
export interface Outside {
  /** Begins to notice, for one simulation. */
  begin(): void
  /** Ends with it. */
  end(): void
  /** The first use since the beginning, with the place that it came from. */
  found(): Error | undefined
  /** Makes something that the scheduler itself waits for. */
  ours<T>(make: () => T): T
}

/** Work that follows from a step at once, in an order that Node.js fixes. */
const AT_ONCE = new Set(['TickObject', 'Microtask', 'PROMISE'])

/** The log, which people turn on to look into one seed, tells the real time. */
const isLogged = process.env['SIMULATION_LOG'] !== undefined

/** Watches this process from now on; what is used is used all the same, and the scheduler fails after that step. */
function watchOutside(): Outside {
  let isWatched = false
  let found: Error | undefined
  const take = (what: string) => {
    if (!isWatched || found || isLogged) return
    found = new Error(`${what} is used, and no seed decides when it happens or what it answers`)
  }
  createHook({
    init: (_, type) => void (AT_ONCE.has(type) || take(type)),
    // Promises settle at once, and there are many.
    trackPromises: false,
  } as Parameters<typeof createHook>[0]).enable()
  watchClocks(take)
  return {
    begin: () => {
      found = undefined
      isWatched = true
    },
    end: () => void (isWatched = false),
    found: () => found,
    ours: (make) => {
      const before = isWatched
      isWatched = false
      try {
        return make()
      } finally {
        isWatched = before
      }
    },
  }
}

function watchClocks(take: (what: string) => void): void {
  const watched = <F extends (...given: never[]) => unknown>(what: string, real: F) =>
    ((...given: never[]) => {
      take(what)
      return real(...given)
    }) as F
  Object.assign(Date, { now: watched('Date.now', Date.now) })
  Object.assign(Math, { random: watched('Math.random', Math.random) })
  Object.assign(performance, { now: watched('performance.now', performance.now.bind(performance)) })
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, made) => {
      if (given.length === 0) take('new Date')
      return Reflect.construct(target, given, made) as Date
    },
  })
}

export const outside = watchOutside()
