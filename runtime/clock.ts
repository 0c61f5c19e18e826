import { setImmediate as turn, setTimeout as sleepFor } from 'node:timers/promises'

/** Takes back what was planned. */
export type Cancel = () => void

/** Time as a program sees it: given as an argument, so that a simulation can decide when time passes. */
export interface Clock {
  /** The time of day, which may be set and may be wrong. */
  now(): Date
  /** Milliseconds on a clock that never goes back; only differences mean something. */
  elapsed(): number
  /** Settles after `ms` milliseconds, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `action` in `ms` milliseconds unless cancelled. */
  after(ms: number, action: () => void): Cancel
  /** Settles once other work that waits for this process has had its turn. */
  turn(): Promise<void>
}

/** A timer of Node overflows to 1 ms beyond this; whoever waits that long looks at the clock again anyway. */
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
