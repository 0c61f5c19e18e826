import type { Cancel, Clock } from '#runtime/clock.ts'
import type { Scheduler } from './scheduler.ts'

/** The time of day at which every simulation begins. */
const BEGINNING = Date.parse('2026-11-21T00:00:00Z')

/** One run of a program, from its start to its crash: what it waits for after that never comes. */
export class Life {
  readonly name: string
  readonly clock: Clock
  /** Milliseconds that its time of day is wrong by. */
  skewMs: number
  isAlive = true
  /** What the world closes when this life ends: a dead program's connections. */
  readonly connections = new Set<() => void>()
  /** The open streams: each can fall silent. */
  readonly streams = new Set<() => void>()
  readonly #scheduler: Scheduler

  constructor(name: string, scheduler: Scheduler, skewMs = 0) {
    this.name = name
    this.skewMs = skewMs
    this.#scheduler = scheduler
    this.clock = {
      now: () => new Date(timeOfDay(scheduler) + this.skewMs),
      elapsed: () => scheduler.time,
      sleep: (ms, signal) => this.#sleep(ms, signal),
      after: (ms, action) => this.after(ms, action),
      turn: () => new Promise((resolve) => this.offer('turn', resolve)),
    }
  }

  /** Nothing of this life happens any more. */
  end(): void {
    this.isAlive = false
    for (const close of this.connections) close()
    this.connections.clear()
  }

  /** All streams that are open now stay open and tell nothing any more. */
  silence(): void {
    for (const fallSilent of this.streams) fallSilent()
  }

  after(ms: number, action: () => void): Cancel {
    return this.#scheduler.after(ms, () => {
      if (this.isAlive) action()
    })
  }

  /** Lets something happen at any later step of this life. */
  offer(what: string, run: () => void): void {
    this.#scheduler.offer(`${this.name} ${what}`, () => {
      if (this.isAlive) run()
    })
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const wake = () => {
        cancel()
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const cancel = this.after(ms, wake)
      signal?.addEventListener('abort', wake)
    })
  }
}

/** What a clock that is right shows, in milliseconds. */
export function timeOfDay(scheduler: Scheduler): number {
  return BEGINNING + scheduler.time
}
