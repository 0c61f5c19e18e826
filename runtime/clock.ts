import { setImmediate as turn, setTimeout as sleepFor } from 'node:timers/promises'

/** Cancels what was scheduled. */
export type Cancel = () => void

/** Time as a program uses it, passed as an argument so that a simulation can control it. */
export interface Clock {
  /** The time of day, which may be adjusted and may be wrong. */
  now(): Date
  /** Milliseconds on a clock that never goes back; only differences are meaningful. */
  elapsed(): number
  /** Settles after `ms` milliseconds, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `action` after `ms` milliseconds unless cancelled. */
  after(ms: number, action: () => void): Cancel
  /** Settles once other work that is ready to run in this process has had its turn. */
  turn(): Promise<void>
}

/**
 * Longest delay of a timer in Node, which fires a longer one after 1 ms. Callers check the clock again after waking.
 */
const LONGEST_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    sleepFor(Math.min(Math.max(0, ms), LONGEST_MS), undefined, signal && { signal }).catch(() => undefined),
  after: (ms, action) => {
    const timer = setTimeout(action, Math.min(ms, LONGEST_MS))
    return () => clearTimeout(timer)
  },
  turn: () => turn(),
}
