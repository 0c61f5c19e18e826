import { backoff } from '#runtime/backoff.ts'
import { systemClock, type Cancel, type Clock } from '#runtime/clock.ts'

export interface LatestOptions<T> {
  /**
   * Loads one complete version; throws when it cannot. The signal aborts when a newer version waits and this load has
   * gone on for too long; a load that ends well all the same counts.
   */
  load: (version: T, signal: AbortSignal) => Promise<void>
  /**
   * Has the newest version offered again before a failed load is retried; throws when it cannot. The version is offered
   * rather than returned, so that versions come from one source: nobody could tell whether a returned version or an
   * event is newer.
   */
  reread: () => Promise<void>
  onFault: (error: unknown) => void
  retry?: { baseMs: number; capMs: number }
  clock?: Clock
  random?: () => number
}

export interface Latest<T> {
  /**
   * Offers the newest version; it replaces a version that waits behind the current load, and ends a current load that
   * goes on for too long.
   */
  offer(version: T): void
  /** Resolves when the current load has ended; nothing is loaded afterwards. */
  stop(): Promise<void>
}

/** Loads one version at a time, always the newest that was offered. A failure is reported and retried with back-off. */
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

/**
 * How long a load may go on while a newer version waits: a request without an answer must not keep a suspension away.
 * The time doubles with each load in a row that was ended, up to about a minute, so that a stream of new versions cannot
 * hinder every load. A time of more than 2 ** 31 ms would be none: a timer takes it for 1 ms.
 */
const PATIENCE = { baseMs: 1_000, capMs: 64_000 }

class LoadLoop<T> {
  readonly #options: LatestOptions<T>
  #waiting: { version: T } | undefined
  #stopped = false
  #failures = 0
  /** Loads in a row that gave way to a newer version. */
  #overtaken = 0
  /** Tells the current load that a newer version waits. */
  #overtake: (() => void) | undefined
  /** Ends the current wait of the loop. */
  #wake = new AbortController()

  constructor(options: LatestOptions<T>) {
    this.#options = options
  }

  offer(newest: { version: T }): void {
    this.#waiting = newest
    this.#wake.abort()
    this.#overtake?.()
  }

  stop(): void {
    this.#stopped = true
    this.#wake.abort()
  }

  async run(): Promise<void> {
    while (!this.#stopped) {
      const next = this.#take()
      if (next) await this.#attempt(async () => this.#load(next.version))
      else await this.#rest()
    }
  }

  #take(): { version: T } | undefined {
    const next = this.#waiting
    this.#waiting = undefined
    if (next || this.#wake.signal.aborted) this.#wake = new AbortController()
    return next
  }

  /** Loads one version. A load that gave way to a newer version has not failed: the newer one is loaded next. */
  async #load(version: T): Promise<void> {
    const { clock = systemClock } = this.#options
    const patienceMs = Math.min(PATIENCE.capMs, PATIENCE.baseMs * 2 ** this.#overtaken)
    const startedAt = clock.elapsed()
    const abort = new AbortController()
    let cancel: Cancel | undefined
    this.#overtake = () => {
      const leftMs = Math.max(0, startedAt + patienceMs - clock.elapsed())
      cancel ??= clock.after(leftMs, () => abort.abort())
    }
    try {
      await this.#options.load(version, abort.signal)
      this.#overtaken = 0
    } catch (error) {
      if (!abort.signal.aborted) throw error
      this.#overtaken += 1
    } finally {
      this.#overtake = undefined
      cancel?.()
    }
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

  /**
   * Waits for the next offer; after a failure at most for the back-off, and then has the newest version offered again.
   */
  async #rest(): Promise<void> {
    const { signal } = this.#wake
    if (this.#stopped || this.#waiting) return
    if (this.#failures === 0) return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    const { clock = systemClock, random = Math.random, retry = RETRY } = this.#options
    await clock.sleep(backoff(this.#failures - 1, { ...retry, random }), signal)
    if (signal.aborted) return
    const failures = this.#failures
    await this.#attempt(() => this.#options.reread())
    // Reading the index again is not a successful load: the back-off continues where it was.
    this.#failures ||= failures
  }
}
