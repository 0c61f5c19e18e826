import type { Registry } from 'prom-client'
import { backoff } from '../backoff.ts'
import { systemClock, type Cancel, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { queueMetrics, type QueueMetrics } from './queue-metrics.ts'

/** Nothing when the key is done; `after` to run it again after that many milliseconds. */
export type Requeue = { after: number } | void

export interface QueueOptions {
  /** The queue's label in metrics and log lines. */
  name: string
  /** Brings one key to its desired state; after a rejection it runs again with back-off. */
  run: (key: string) => Promise<Requeue>
  log: Logger
  /** Number of keys that run at the same time. Default 1. */
  concurrency?: number
  /** First and longest back-off in milliseconds. Default 100 and 60,000. */
  retry?: { baseMs: number; capMs: number }
  clock?: Clock
  random?: () => number
  registry?: Registry
}

export interface Queue {
  /**
   * Runs the key as soon as a slot is free: once, however often it is added before it starts. With `first` it runs
   * before every waiting key without `first`.
   */
  add(key: string, order?: { first: boolean }): void
  /** Runs the key after `ms` milliseconds, or earlier if an earlier run is already scheduled. */
  addAfter(key: string, ms: number): void
  /** Settles when no key is running or ready to run; keys scheduled for later do not count. */
  idle(): Promise<void>
  /** Accepts no more keys, drops the waiting ones, and settles when the running keys have ended. */
  stop(): Promise<void>
}

/** A work queue with keys, as controllers use it: no key runs twice at the same time, and none is lost. */
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
  /** Waiting keys in the order in which they were added; `first` runs before `waiting`. */
  readonly #first = new Set<string>()
  readonly #waiting = new Set<string>()
  readonly #running = new Set<string>()
  /** Keys that were added while they were running, and whether their next run comes first. */
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
    // The run reads the present state, and its outcome decides anew when the key runs next.
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
