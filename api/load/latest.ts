import { backoff } from '#runtime/backoff.ts'
import { systemClock, type Clock } from '#runtime/clock.ts'

export interface LatestOptions<T> {
  /** Loads one version whole; throws when it cannot. */
  load: (version: T) => Promise<void>
  /**
   * Has the newest version offered again, before a failed load is tried again; throws when it cannot. It offers and does
   * not answer, so that versions come one way: between an answer and an event nobody could say which is newer.
   */
  reread: () => Promise<void>
  onFault: (error: unknown) => void
  retry?: { baseMs: number; capMs: number }
  clock?: Clock
  random?: () => number
}

export interface Latest<T> {
  /** Says what is newest; whatever waits behind the load that runs is forgotten. */
  offer(version: T): void
  /** Resolves when the load that runs has ended; nothing is loaded after it. */
  stop(): Promise<void>
}

/** Loads one version at a time, always the newest that was offered; a failure is reported and tried again with back-off. */
export function createLatest<T>(options: LatestOptions<T>): Latest<T> {
  const loop = new LoadLoop(options)
  const ended = loop.run()
  return {
    offer: (version) => loop.offer({ version }),
    stop: async () => {
      loop.stop()
      await ended
    },
  }
}

const RETRY = { baseMs: 100, capMs: 10_000 }

class LoadLoop<T> {
  readonly #options: LatestOptions<T>
  #waiting: { version: T } | undefined
  #stopped = false
  #failures = 0
  /** Ends whatever the loop waits for. */
  #wake = new AbortController()

  constructor(options: LatestOptions<T>) {
    this.#options = options
  }

  offer(newest: { version: T }): void {
    this.#waiting = newest
    this.#wake.abort()
  }

  stop(): void {
    this.#stopped = true
    this.#wake.abort()
  }

  async run(): Promise<void> {
    while (!this.#stopped) {
      const next = this.#take()
      if (next) await this.#attempt(async () => this.#options.load(next.version))
      else await this.#rest()
    }
  }

  #take(): { version: T } | undefined {
    const next = this.#waiting
    this.#waiting = undefined
    if (next || this.#wake.signal.aborted) this.#wake = new AbortController()
    return next
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      this.#options.onFault(error)
    }
  }

  /** Waits for the next offer; after a failure only so long, and then reads again what is newest. */
  async #rest(): Promise<void> {
    const { signal } = this.#wake
    if (this.#stopped || this.#waiting) return
    if (this.#failures === 0) return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    const { clock = systemClock, random = Math.random, retry = RETRY } = this.#options
    await clock.sleep(backoff(this.#failures - 1, { ...retry, random }), signal)
    if (signal.aborted) return
    const failures = this.#failures
    await this.#attempt(() => this.#options.reread())
    // Reading the index is no success of a load: the back-off goes on from where it was.
    this.#failures ||= failures
  }
}
