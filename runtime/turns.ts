import { createLine, type Waiting } from './line.ts'

/** Limits concurrent work, fairly between clients. */
export interface Turns {
  /** Does the work when it is the client's turn. Rejects with the signal's reason if the signal aborts first. */
  take<T>(clientId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** Returns whether the caller still wants the turn. */
type Offer = () => boolean

interface TurnLimits {
  atOnce: number
  ofOneClient: number
  /** Of a client while no other client has work; by default `ofOneClient`. */
  ofOneAlone?: number
}

/** At most `atOnce` in total and `ofOneClient` per client; the client with the fewest running is next. */
export function createTurns({ atOnce, ofOneClient, ofOneAlone }: TurnLimits): Turns {
  const line = createLine<Offer>({ running: atOnce, runningOfOne: ofOneClient, runningAlone: ofOneAlone })
  const proceed = () => {
    for (let entry = line.next(); entry; entry = line.next()) if (!entry.value()) line.done(entry)
  }
  const waiting = new WaitingTurns()
  return {
    take: async (clientId, signal, work) => {
      signal.throwIfAborted()
      const turn = new Turn(clientId, signal)
      waiting.add(turn)
      line.add(turn.entry)
      proceed()
      await turn.come.promise.finally(() => waiting.delete(turn))
      try {
        return await work()
      } finally {
        line.done(turn.entry)
        proceed()
      }
    },
  }
}

class Turn {
  readonly entry: Waiting<Offer>
  readonly signal: AbortSignal
  readonly come = Promise.withResolvers<void>()

  constructor(clientId: string, signal: AbortSignal) {
    this.signal = signal
    this.entry = { clientId, value: () => this.#accept() }
  }

  #accept(): boolean {
    if (this.signal.aborted) return false
    this.come.resolve()
    return true
  }
}

/**
 * Rejects the turns that wait when their signal aborts. One listener for all turns of a signal: all pictures of a worker
 * share one, and a signal compares each new listener with all that it has.
 */
class WaitingTurns {
  readonly #bySignal = new Map<AbortSignal, { turns: Set<Turn>; abort: () => void }>()

  add(turn: Turn): void {
    const { signal } = turn
    const known = this.#bySignal.get(signal)
    if (known) {
      known.turns.add(turn)
      return
    }
    const turns = new Set([turn])
    const abort = () => {
      for (const { come } of turns) come.reject(signal.reason)
    }
    this.#bySignal.set(signal, { turns, abort })
    signal.addEventListener('abort', abort, { once: true })
  }

  delete(turn: Turn): void {
    const { signal } = turn
    const known = this.#bySignal.get(signal)
    if (!known?.turns.delete(turn) || known.turns.size > 0) return
    this.#bySignal.delete(signal)
    signal.removeEventListener('abort', known.abort)
  }
}
