import type { Context } from 'koa'

/** What a limit of requests says of itself (draft-ietf-httpapi-ratelimit-headers-10). */
export interface RateState {
  perMinute: number
  remaining: number
  /** Till the next minute of UTC. */
  resetSeconds: number
}

const MINUTE_MS = 60_000

/** Seconds from a time in milliseconds till the next minute of UTC. */
export const secondsLeft = (now: number) => Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000)

/** The number of the minute of UTC that a time in milliseconds is in. */
export const minuteOf = (now: number) => Math.floor(now / MINUTE_MS)

/** Puts the fields of a limit on an answer. */
export function setRateFields(ctx: Context, { perMinute, remaining, resetSeconds }: RateState): void {
  ctx.set('ratelimit-policy', `"client";q=${perMinute};w=60`)
  ctx.set('ratelimit', `"client";r=${remaining};t=${resetSeconds}`)
}
