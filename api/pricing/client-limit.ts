import type { Context } from 'koa'
import { answerLimit, minuteOf, secondsLeft } from '../http/rate-fields.ts'

/** Counts a request of a client and sets the limit headers of the answer; throws `RATE_LIMITED` beyond the limit. */
export type ClientLimit = (ctx: Context, clientId: string) => void

/**
 * Limits the requests that one client may make of this process in a minute of UTC. Pricing processes share nothing, so
 * that none waits for another: with two processes a client has up to twice as many requests.
 */
export function createClientLimit(perMinute: number, clock: () => number): ClientLimit {
  let counts = new Map<string, number>()
  let minute = 0
  return (ctx, clientId) => {
    const now = clock()
    if (minuteOf(now) !== minute) [counts, minute] = [new Map(), minuteOf(now)]
    const count = (counts.get(clientId) ?? 0) + 1
    counts.set(clientId, count)
    const resetSeconds = secondsLeft(now)
    const remaining = Math.max(0, perMinute - count)
    answerLimit(ctx, 'RATE_LIMITED', perMinute, { allowed: count <= perMinute, remaining, resetSeconds })
  }
}
