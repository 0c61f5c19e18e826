import { createLine, type Waiting } from '../../line.ts'

/** Limits concurrent work, fairly between clients. */
export interface Turns {
  /** Does the work when it is the client's turn. Rejects with the signal's reason if the signal aborts first. */
  take<T>(clientId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** Returns whether the caller still wants the turn. */
type Offer = () => boolean

/** At most `atOnce` in total and `ofOneClient` per client; the client with the fewest running is next. */
export function createTurns({ atOnce, ofOneClient }: { atOnce: number; ofOneClient: number }): Turns {
  const line = createLine<Offer>({ running: atOnce, runningOfOne: ofOneClient })
  const proceed = () => {
    for (let entry = line.next(); entry; entry = line.next()) if (!entry.value()) line.done(entry)
  }
  return {
    take: async (clientId, signal, work) => {
      signal.throwIfAborted()
      const turn = new Turn(clientId, signal)
      line.add(turn.entry)
      proceed()
      await turn.come()
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
  readonly #signal: AbortSignal
  readonly #promise = Promise.withResolvers<void>()

  constructor(clientId: string, signal: AbortSignal) {
    this.#signal = signal
    this.entry = { clientId, value: () => this.#accept() }
  }

  async come(): Promise<void> {
    const abort = () => this.#promise.reject(this.#signal.reason)
    this.#signal.addEventListener('abort', abort, { once: true })
    await this.#promise.promise.finally(() => this.#signal.removeEventListener('abort', abort))
  }

  #accept(): boolean {
    if (this.#signal.aborted) return false
    this.#promise.resolve()
    return true
  }
}
