import type { Registry } from 'prom-client'
import { backoff } from '../backoff.ts'
import { systemClock, type Cancel, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { queueMetrics, type QueueMetrics } from './queue-metrics.ts'

/** Nothing: done. `after`: once more in so many milliseconds. */
export type Outcome = { after: number } | void

export interface QueueOptions {
  /** Label of its metrics and log lines. */
  name: string
  /** Brings one key to its desired state; a rejection is tried again with back-off. */
  run: (key: string) => Promise<Outcome>
  log: Logger
  /** Keys that run at the same time. Default 1. */
  concurrency?: number
  /** Milliseconds of the first and of the longest back-off. Default 100 and 60,000. */
  retry?: { baseMs: number; capMs: number }
  clock?: Clock
  random?: () => number
  registry?: Registry
}

export interface Queue {
  /**
   * Runs the key as soon as there is room: once, however often it is added before it starts. With `first` it runs before
   * every key that waits without.
   */
  add(key: string, order?: { first: boolean }): void
  /** Runs the key in `ms` milliseconds, or earlier where that is wished already. */
  addAfter(key: string, ms: number): void
  /** Settles when nothing is running or waiting to run now; keys that wait for a time do not count. */
  idle(): Promise<void>
  /** Takes nothing more, forgets what waits, and settles when the running keys have ended. */
  stop(): Promise<void>
}

/** A work queue by key, as controllers use it: never two runs of one key at a time, and none is lost. */
export function createQueue(options: QueueOptions): Queue {
  const queue = new KeyedQueue(options)
  return {
    add: (key, order) => queue.add(key, order),
    addAfter: (key, ms) => queue.addAfter(key, ms),
    idle: () => queue.idle(),
    stop: () => queue.stop(),
  }
}

interface Delayed {
  at: number
  cancel: Cancel
}

class KeyedQueue {
  readonly #options: QueueOptions
  readonly #metrics: QueueMetrics
  readonly #clock: Clock
  /** In the order in which they were added; those of `first` run before those of `waiting`. */
  readonly #first = new Set<string>()
  readonly #waiting = new Set<string>()
  readonly #running = new Set<string>()
  /** Added while they were running, and whether they run first then. */
  readonly #again = new Map<string, boolean>()
  readonly #delayed = new Map<string, Delayed>()
  readonly #failures = new Map<string, number>()
  #idlers: (() => void)[] = []
  #isStopped = false

  constructor(options: QueueOptions) {
    this.#options = options
    this.#metrics = queueMetrics(options.registry, options.name)
    this.#clock = options.clock ?? systemClock
  }

  add(key: string, { first } = { first: false }): void {
    if (this.#isStopped) return
    if (this.#running.has(key)) this.#again.set(key, first || (this.#again.get(key) ?? false))
    else this.#enqueue(key, first)
    this.#start()
  }

  #enqueue(key: string, isFirst: boolean): void {
    if (isFirst) this.#waiting.delete(key)
    if (isFirst) this.#first.add(key)
    else if (!this.#first.has(key)) this.#waiting.add(key)
  }

  addAfter(key: string, ms: number): void {
    const at = this.#clock.elapsed() + ms
    const earlier = this.#delayed.get(key)
    if (this.#isStopped || (earlier && earlier.at <= at)) return
    earlier?.cancel()
    const cancel = this.#clock.after(ms, () => {
      this.#delayed.delete(key)
      this.add(key)
    })
    this.#delayed.set(key, { at, cancel })
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idlers.push(resolve)
      this.#tellIdlers()
    })
  }

  stop(): Promise<void> {
    this.#isStopped = true
    for (const { cancel } of this.#delayed.values()) cancel()
    for (const keys of [this.#delayed, this.#first, this.#waiting, this.#again, this.#failures]) keys.clear()
    return this.idle()
  }

  #start(): void {
    const { concurrency = 1 } = this.#options
    for (const keys of [this.#first, this.#waiting]) {
      for (const key of keys) {
        if (this.#running.size >= concurrency) break
        keys.delete(key)
        void this.#runOnce(key)
      }
    }
    this.#metrics.depth(this.#first.size + this.#waiting.size)
  }

  async #runOnce(key: string): Promise<void> {
    this.#running.add(key)
    // The run reads the present, so whatever was planned for later is decided anew by its outcome.
    this.#delayed.get(key)?.cancel()
    this.#delayed.delete(key)
    const startedAt = this.#clock.elapsed()
    const isDone = await this.#attempt(key)
    this.#metrics.ran(isDone, (this.#clock.elapsed() - startedAt) / 1000)
    this.#running.delete(key)
    const isFirst = this.#again.get(key)
    if (this.#again.delete(key)) this.#enqueue(key, isFirst === true)
    this.#start()
    this.#tellIdlers()
  }

  async #attempt(key: string): Promise<boolean> {
    try {
      const outcome = await this.#options.run(key)
      this.#failures.delete(key)
      if (outcome) this.addAfter(key, outcome.after)
      return true
    } catch (error) {
      this.#retry(key, error)
      return false
    }
  }

  #retry(key: string, error: unknown): void {
    const { name, log, random = Math.random, retry = { baseMs: 100, capMs: 60_000 } } = this.#options
    const attempt = this.#failures.get(key) ?? 0
    const waitMs = backoff(attempt, { ...retry, random })
    log.warn({ err: error, queue: name, key, waitMs, attempt: attempt + 1 }, 'failed; trying again')
    if (this.#isStopped) return
    this.#failures.set(key, attempt + 1)
    this.addAfter(key, waitMs)
  }

  #tellIdlers(): void {
    if (this.#running.size + this.#first.size + this.#waiting.size > 0) return
    for (const resolve of this.#idlers.splice(0)) resolve()
  }
}
